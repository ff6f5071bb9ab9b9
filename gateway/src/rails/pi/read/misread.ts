import type { Database, Tx } from '../../../kit/db/db.ts';
import type { Movement } from '../movements/movement.ts';

/** A movement as a Horizon shows it now, and how it is noted. */
export type Misread = { now: Movement; told: { units: bigint; state: string } };

/** Of these movements those that are noted with another amount, direction or memo. */
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
    const now = movements[at - 1];
    return now ? [{ now, told: { units, state } }] : [];
  });
}

export const isSameMovement = (one: Movement, other: Movement | undefined): boolean =>
  one.transaction === other?.transaction &&
  one.direction === other.direction &&
  one.units === other.units &&
  one.memo === other.memo;

/** Takes back what was booked for an owner; false for what was booked in another way, or is not reported yet. */
export async function takeBack(tx: Tx, { transaction, token }: Movement): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_records SET state = 'gone' WHERE transaction = $1 AND paging_token = $2
       AND state = 'final' AND reported_state = 'final'`,
    [transaction, token],
  );
  return rowCount === 1;
}
