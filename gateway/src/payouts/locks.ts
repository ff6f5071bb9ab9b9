import type { Tx } from '../kit/db/db.ts';
import { isUuid } from '../kit/ids.ts';
import { type Payout, type PayoutRow, payoutOf, purposeNames } from './payout.ts';
import { type Purposes, purposeOf } from './purposes.ts';
import { payoutColumns } from './sql.ts';

/**
 * Locks payouts until the transaction ends, in the order of their ids, after what they belong to. An id that names none
 * is left out.
 */
export async function lockPayouts(
  tx: Tx,
  { purposes }: { purposes: Purposes },
  ids: readonly string[],
): Promise<Payout[]> {
  const wanted = ids.filter(isUuid);
  if (wanted.length === 0) return [];
  const { rows: causes } = await tx.query<Pick<PayoutRow, 'purpose' | 'cause_id'>>(
    'SELECT DISTINCT purpose, cause_id FROM payouts WHERE id = ANY ($1) AND cause_id IS NOT NULL',
    [wanted],
  );
  for (const name of purposeNames) {
    const own = causes.flatMap(({ purpose, cause_id }) => (purpose === name && cause_id ? [cause_id] : []));
    if (own.length > 0) await purposeOf(purposes, name).lockCauses?.(tx, own);
  }
  const { rows } = await tx.query<PayoutRow>(
    `SELECT ${payoutColumns} FROM payouts WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
    [wanted],
  );
  return rows.map(payoutOf);
}
