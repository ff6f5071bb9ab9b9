import type { IntegrationId } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';

/** What an owner set about the refunds of an integration. */
export type RefundSettings = {
  /** Whether a refund gives the fee's share back too. */
  feeOnRefund: 'kept' | 'returned';
  /** US cents up to which the link of a payment suffices to claim a refund. */
  claimLimitCents: number;
};

const defaults: RefundSettings = { feeOnRefund: 'kept', claimLimitCents: 5_000 };

type SettingsRow = { fee_on_refund: RefundSettings['feeOnRefund']; claim_limit_cents: number };

export async function refundSettingsOf(
  reader: Reader,
  integrationId: IntegrationId,
): Promise<RefundSettings> {
  const { rows } = await reader.query<SettingsRow>(
    'SELECT fee_on_refund, claim_limit_cents FROM refund_settings WHERE integration_id = $1',
    [integrationId],
  );
  const row = rows[0];
  if (!row) return defaults;
  return { feeOnRefund: row.fee_on_refund, claimLimitCents: row.claim_limit_cents };
}

/** Sets all of them; refunds that exist stay as they are. */
export async function setRefundSettings(
  tx: Tx,
  integrationId: IntegrationId,
  { feeOnRefund, claimLimitCents }: RefundSettings,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO refund_settings (integration_id, fee_on_refund, claim_limit_cents, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (integration_id) DO UPDATE SET fee_on_refund = $2, claim_limit_cents = $3, updated_at = $4`,
    [integrationId, feeOnRefund, claimLimitCents, now],
  );
}
