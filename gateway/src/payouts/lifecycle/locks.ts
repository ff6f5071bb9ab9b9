import type { Tx } from '../../kit/db/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Payout, type PayoutRow, payoutOf, purposeNames } from '../payout/payout.ts';
import { type Purposes, purposeOf } from '../payout/purposes.ts';
import { payoutColumns } from '../payout/sql.ts';

/** Locks a payout, which comes first, and those that are approved as one with it. */
export async function lockTogether(
  tx: Tx,
  deps: { purposes: Purposes },
  id: string,
): Promise<[Payout | undefined, ...Payout[]]> {
  if (!isUuid(id)) return [undefined];
  const { rows } = await tx.query<Pick<PayoutRow, 'id'>>(
    'SELECT id FROM payouts WHERE id = $1 OR together = (SELECT together FROM payouts WHERE id = $1)',
    [id],
  );
  const locked = await lockPayouts(
    tx,
    deps,
    rows.map((row) => row.id),
  );
  return [locked.find((payout) => payout.id === id), ...locked.filter((payout) => payout.id !== id)];
}

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
