import type { IntegrationId } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';

/** What an owner set about the refunds of an integration. */
export type RefundSettings = {
  /** Whether a refund gives the fee's share back too. */
  feeOnRefund: 'kept' | 'returned';
  /** US cents up to which the link of a payment suffices to claim a refund. */
  claimLimitCents: number;
  /** The same as decimals of assets, by asset code: such a limit is used instead of the one in dollars. */
  claimLimits: Readonly<Record<string, string>>;
};

const defaults: RefundSettings = { feeOnRefund: 'kept', claimLimitCents: 5_000, claimLimits: {} };

type SettingsRow = {
  fee_on_refund: RefundSettings['feeOnRefund'];
  claim_limit_cents: number;
  claim_limits: RefundSettings['claimLimits'];
};

export async function refundSettingsOf(
  reader: Reader,
  integrationId: IntegrationId,
): Promise<RefundSettings> {
  const { rows } = await reader.query<SettingsRow>(
    'SELECT fee_on_refund, claim_limit_cents, claim_limits FROM refund_settings WHERE integration_id = $1',
    [integrationId],
  );
  const row = rows[0];
  if (!row) return defaults;
  const { fee_on_refund: feeOnRefund, claim_limit_cents: claimLimitCents, claim_limits: claimLimits } = row;
  return { feeOnRefund, claimLimitCents, claimLimits };
}

/** Sets all of them; existing refunds stay as they are. */
export async function setRefundSettings(
  tx: Tx,
  integrationId: IntegrationId,
  { feeOnRefund, claimLimitCents, claimLimits }: RefundSettings,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO refund_settings (integration_id, fee_on_refund, claim_limit_cents, claim_limits, updated_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (integration_id) DO UPDATE SET fee_on_refund = $2, claim_limit_cents = $3, claim_limits = $4,
       updated_at = $5`,
    [integrationId, feeOnRefund, claimLimitCents, JSON.stringify(claimLimits), now],
  );
}
