import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';

/** What a rail reports of a transfer (`final`), or that its chain took it back (`gone`). */
export type Reported = {
  /** The table that notes it, under the id of the ledger transfer that books it first. */
  table: string;
  ledgerId: string;
  state: 'final' | 'gone';
  /** The other columns of a new row, with the transfer's `units`. */
  row: Readonly<Record<string, unknown>> & { units: bigint };
};

/** What is to be booked, and under which id. */
export type Booking = { id: string; units: bigint };

/**
 * Notes what a rail reports, and returns what is to be booked for it: of one that is gone the units that were booked, since
 * it may come back with others. Null where the same was reported before, or where it is gone and never was final.
 */
export async function noteReported(tx: Tx, reported: Reported, now: Date): Promise<Booking | null> {
  const { table, ledgerId, state, row } = reported;
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 2}`);
  const { rows } =
    state === 'final'
      ? await tx.query<{ bookings: number; units: bigint }>(
          `INSERT INTO ${table} AS t (ledger_id, state, ${columns.join(', ')}) VALUES ($1, 'final', ${values.join(', ')})
           ON CONFLICT (ledger_id) DO UPDATE SET state = 'final', gone_at = NULL, units = excluded.units,
             bookings = t.bookings + 1
           WHERE t.state = 'gone'
           RETURNING bookings, units`,
          [ledgerId, ...Object.values(row)],
        )
      : await tx.query<{ bookings: number; units: bigint }>(
          `UPDATE ${table} SET state = 'gone', gone_at = $2 WHERE ledger_id = $1 AND state = 'final'
           RETURNING bookings, units`,
          [ledgerId, now],
        );
  const [noted] = rows;
  if (!noted) return null;
  const isFirst = state === 'final' && noted.bookings === 1;
  return { id: isFirst ? ledgerId : newId(now), units: noted.units };
}
