import { dayOf } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';

/** The tables that say how much of daily limits is used on each UTC day, and by what. */
export type LimitTables = {
  /** By limit, asset and day; and the units that count in it until what holds them ends. */
  sums: string;
  uses: string;
  /** The columns that name a limit, with their type, and what holds a use. */
  limit: string;
  limitType: 'text' | 'uuid';
  heldBy: string;
};

/** What is used of a daily limit. Units are the asset's own. */
export type Use = { limit: string; asset: string; units: bigint };

/** What of all limits was used on this day before. */
export type Used = ReadonlyMap<string, { limit: string; asset: string; used: bigint }>;

export const nameOf = ({ limit, asset }: Pick<Use, 'limit' | 'asset'>): string => `${limit} ${asset}`;

/**
 * Locks the sums of these limits on this UTC day until the transaction ends, so that of two at once only one passes.
 * They are always locked in one order.
 */
export async function lockSums(
  tx: Tx,
  { sums, limit, limitType }: LimitTables,
  uses: readonly Use[],
  now: Date,
): Promise<Used> {
  const values = [uses.map((use) => use.limit), uses.map(({ asset }) => asset), dayOf(now)];
  const wanted = `unnest($1::${limitType}[], $2::text[])`;
  await tx.query(
    `INSERT INTO ${sums} (${limit}, asset, day, units)
     SELECT DISTINCT name, asset, $3::date, 0 FROM ${wanted} AS t (name, asset)
     ORDER BY name, asset ON CONFLICT DO NOTHING`,
    values,
  );
  const { rows } = await tx.query<{ limit: string; asset: string; used: bigint }>(
    `SELECT ${limit} AS limit, asset, units AS used FROM ${sums}
     WHERE day = $3 AND (${limit}, asset) IN (SELECT * FROM ${wanted})
     ORDER BY ${limit}, asset FOR UPDATE`,
    values,
  );
  return new Map(rows.map((row) => [nameOf(row), row]));
}

/** Adds uses to sums that are locked. */
export async function addToSums(tx: Tx, tables: LimitTables, uses: readonly Use[], now: Date): Promise<void> {
  if (uses.length === 0) return;
  const { sums, limit, limitType } = tables;
  await tx.query(
    `UPDATE ${sums} s SET units = s.units + t.units
     FROM (
       SELECT name, asset, sum(units) AS units
       FROM unnest($1::${limitType}[], $2::text[], $3::numeric[]) AS u (name, asset, units) GROUP BY name, asset
     ) t
     WHERE s.${limit} = t.name AND s.asset = t.asset AND s.day = $4`,
    [...columnsOf(uses), dayOf(now)],
  );
}

/** Notes what holds uses until it ends. */
export async function holdUses(
  tx: Tx,
  tables: LimitTables,
  uses: readonly (Use & { heldBy: string })[],
  now: Date,
): Promise<void> {
  if (uses.length === 0) return;
  await tx.query(
    `INSERT INTO ${tables.uses} (${tables.heldBy}, ${tables.limit}, asset, day, units)
     SELECT held_by, name, asset, $5, units
     FROM unnest($4::uuid[], $1::${tables.limitType}[], $2::text[], $3::numeric[]) AS t (held_by, name, asset, units)`,
    [...columnsOf(uses), uses.map(({ heldBy }) => heldBy), dayOf(now)],
  );
}

/** Ends the uses that these hold, and takes each off the sum of the day on which it was counted. */
export async function giveBackUses(tx: Tx, tables: LimitTables, heldBy: readonly string[]): Promise<void> {
  if (heldBy.length === 0) return;
  const { sums, uses, limit } = tables;
  // As `lockSums` locks them.
  await tx.query(
    `SELECT FROM ${sums} s WHERE (s.${limit}, s.asset, s.day) IN (
       SELECT ${limit}, asset, day FROM ${uses} WHERE ${tables.heldBy} = ANY ($1)
     ) ORDER BY s.${limit}, s.asset, s.day FOR UPDATE`,
    [heldBy],
  );
  await tx.query(
    `WITH ended AS (DELETE FROM ${uses} WHERE ${tables.heldBy} = ANY ($1) RETURNING ${limit}, asset, day, units)
     UPDATE ${sums} s SET units = s.units - e.units
     FROM (SELECT ${limit}, asset, day, sum(units) AS units FROM ended GROUP BY ${limit}, asset, day) e
     WHERE s.${limit} = e.${limit} AND s.asset = e.asset AND s.day = e.day`,
    [heldBy],
  );
}

const columnsOf = (uses: readonly Use[]) => [
  uses.map(({ limit }) => limit),
  uses.map(({ asset }) => asset),
  uses.map(({ units }) => units),
];
