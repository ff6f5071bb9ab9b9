import type { Reader } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { payoutErrors } from '../payout/errors.ts';
import { type Payout, type PayoutRow, payoutOf } from '../payout/payout.ts';
import { payoutColumns } from '../payout/sql.ts';

/** Withdrawals of fees, newest first, before the payout `before`. */
export async function listFeeWithdrawals(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<Payout[]> {
  const { rows } = await reader.query<PayoutRow>(
    `SELECT ${payoutColumns} FROM payouts
     WHERE purpose = 'fee_withdrawal' AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2`,
    [before, limit],
  );
  return rows.map(payoutOf);
}

/** Throws `payout_not_found` where a payout is no withdrawal of fees. */
export async function assertFeeWithdrawal(reader: Reader, id: string): Promise<void> {
  const { rowCount } = await reader.query(
    "SELECT FROM payouts WHERE id = $1 AND purpose = 'fee_withdrawal'",
    [id],
  );
  if (rowCount === 0) throw refuse(payoutErrors.payout_not_found);
}
