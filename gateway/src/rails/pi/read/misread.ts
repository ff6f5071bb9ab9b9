import type { Database, Tx } from '../../../kit/db/db.ts';
import type { Movement } from '../movements/movement.ts';

/** A movement as a Horizon shows it now, and as it is noted. */
export type Misread = { shown: Movement; noted: { units: bigint; state: string } };

/** Those of the movements that are noted with another amount, direction or memo. */
export async function misreadOf(db: Database, movements: readonly Movement[]): Promise<Misread[]> {
  const { rows } = await db.query<{ at: number; units: bigint; state: string }>(
    `SELECT m.at::int AS at, r.units, r.state
     FROM unnest($1::text[], $2::numeric[], $3::text[], $4::numeric[], $5::text[])
       WITH ORDINALITY AS m (transaction, paging_token, direction, units, memo, at)
     JOIN pi_records r USING (transaction, paging_token)
     WHERE r.state <> 'gone' AND (r.direction, r.units, r.memo) IS DISTINCT FROM (m.direction, m.units, m.memo)`,
    [
      movements.map(({ transaction }) => transaction),
      movements.map(({ token }) => token),
      movements.map(({ direction }) => direction),
      movements.map(({ units }) => units),
      movements.map(({ memo }) => memo),
    ],
  );
  return rows.flatMap(({ at, units, state }) => {
    const shown = movements[at - 1];
    return shown ? [{ shown, noted: { units, state } }] : [];
  });
}

export const isSameMovement = (one: Movement, other: Movement | undefined): boolean =>
  one.transaction === other?.transaction &&
  one.direction === other.direction &&
  one.units === other.units &&
  one.memo === other.memo;

/** Marks a movement that was booked for an owner as gone; false where it was booked otherwise or is not reported yet. */
export async function markGone(tx: Tx, { transaction, token }: Movement): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_records SET state = 'gone' WHERE transaction = $1 AND paging_token = $2
       AND state = 'final' AND reported_state = 'final'`,
    [transaction, token],
  );
  return rowCount === 1;
}
