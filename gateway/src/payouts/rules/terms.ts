import type { Reader, Tx } from '../../kit/db/db.ts';

/** What operators set for payouts in an asset; units at its scale. */
export type PayoutTerms = {
  /** Charged for each payout, beside the amount. */
  fee: bigint;
  minimum: bigint;
  /** Over all integrations on a UTC day; null: no limit. */
  dailyLimit: bigint | null;
  /** Larger payouts need an operator's approval too; null: none does. */
  approveAbove: bigint | null;
};

const none: PayoutTerms = { fee: 0n, minimum: 0n, dailyLimit: null, approveAbove: null };

type TermsRow = {
  asset: string;
  fee: bigint;
  minimum: bigint;
  daily_limit: bigint | null;
  approve_above: bigint | null;
};

/** The terms of assets, by their codes. */
export async function payoutTermsOf(
  reader: Reader,
  assets: readonly string[],
): Promise<(asset: string) => PayoutTerms> {
  const { rows } = await reader.query<TermsRow>(
    'SELECT asset, fee, minimum, daily_limit, approve_above FROM payout_terms WHERE asset = ANY ($1)',
    [assets],
  );
  const found = new Map(
    rows.map(({ asset, fee, minimum, daily_limit, approve_above }) => [
      asset,
      { fee, minimum, dailyLimit: daily_limit, approveAbove: approve_above },
    ]),
  );
  return (asset) => found.get(asset) ?? none;
}

/** Sets the terms of an asset; what was ordered before keeps its fee. */
export async function setPayoutTerms(tx: Tx, asset: string, terms: PayoutTerms, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO payout_terms (asset, fee, minimum, daily_limit, approve_above, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (asset) DO UPDATE SET fee = $2, minimum = $3, daily_limit = $4, approve_above = $5, updated_at = $6`,
    [asset, terms.fee, terms.minimum, terms.dailyLimit, terms.approveAbove, now],
  );
}
