import type { Reader, Tx } from '../../kit/db/db.ts';
import { endRestore } from '../../treasury/restore.ts';

/** Why payouts are stopped, since when, and by whom. */
export type Stop = { reason: string; by: string; at: Date };

/** The switch that stops every order and every signing; null: it is not set. */
export async function payoutStop(reader: Reader): Promise<Stop | null> {
  const { rows } = await reader.query<Stop>(
    'SELECT reason, stopped_by AS by, stopped_at AS at FROM payout_stop',
  );
  return rows[0] ?? null;
}

/** Sets the switch; set twice it keeps its first reason. */
export async function stopPayouts(tx: Tx, { reason, by, at }: Stop): Promise<void> {
  await tx.query(
    'INSERT INTO payout_stop (reason, stopped_by, stopped_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [reason, by, at],
  );
}

/**
 * Lifts it; false when it was not set. Throws `restore_open` while something that left since the backup, which the
 * database was loaded from, may be paid a second time. `senders`: the rails that send live money, which must have been
 * read since, whether anybody has a balance there or not.
 */
export async function resumePayouts(tx: Tx, senders: readonly string[] = []): Promise<boolean> {
  await endRestore(tx, senders);
  const { rowCount } = await tx.query('DELETE FROM payout_stop');
  return rowCount === 1;
}
