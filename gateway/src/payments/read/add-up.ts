import type { Owner } from '../../identity/owner.ts';
import { after, type Clock, earlierOf } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { groupColumns } from './groups.ts';
import { floorTo, type Grain, grains } from './pieces.ts';

/** Payments change most in their first hour, unnoted. A change that began then has ended by now, even if a process's clock was wrong. */
const settledSeconds = 6 * 3600;
const daySeconds = 24 * 3600;
/** Times with no more payments are counted when somebody asks: a row would take more room than it saves time. */
const fewPayments = 50;
/** How many days one call adds up. */
const partsPerRun = 400;
const changesAtOnce = 5_000;

const listed = (column: string): string => `array_agg(${column} ORDER BY status, currency, price_currency)`;

/** Adds up times of `$3` minutes; `since` is SQL for the beginning of the one that a payment `p` of `from` is in. */
const addSql = (from: string, since: string): string => `
INSERT INTO payment_totals (integration_id, mode, minutes, since, statuses, currencies, price_currencies, counts, units,
  price_units)
SELECT $1, $2, $3, since, ${listed('status')}, ${listed('currency')}, ${listed('price_currency')}, ${listed('count')},
  ${listed('units')}, ${listed('price_units')}
FROM (
  SELECT ${since} AS since, ${groupColumns} FROM ${from}
  GROUP BY 1, p.status, p.currency, p.price_currency
) g GROUP BY since HAVING sum(count) > $4
ON CONFLICT (integration_id, mode, minutes, since) DO UPDATE SET statuses = excluded.statuses,
  currencies = excluded.currencies, price_currencies = excluded.price_currencies, counts = excluded.counts,
  units = excluded.units, price_units = excluded.price_units`;

const ofOwner = 'p.integration_id = $1 AND p.mode = $2';
const addNewSql = addSql(
  `payments p WHERE ${ofOwner} AND p.created_at >= $5 AND p.created_at < $6`,
  "date_bin($3 * interval '1 minute', p.created_at, '2000-01-01 00:00:00+00')",
);
const addAgainSql = addSql(
  `unnest($5::timestamptz[]) AS s (since) JOIN payments p ON ${ofOwner} AND p.created_at >= s.since
     AND p.created_at < s.since + $3 * interval '1 minute'`,
  's.since',
);

// Jumps from one owner to the next. `until` of an owner of whom nothing is added up is the first payment.
const ownersSql = `
WITH RECURSIVE owners AS (
  (SELECT integration_id, mode FROM payments ORDER BY integration_id, mode LIMIT 1)
  UNION ALL
  SELECT next.* FROM owners o CROSS JOIN LATERAL (
    SELECT integration_id, mode FROM payments
    WHERE (integration_id, mode) > (o.integration_id, o.mode) ORDER BY integration_id, mode LIMIT 1
  ) next
)
SELECT o.integration_id AS "integrationId", o.mode, from_time AS until
FROM owners o LEFT JOIN payment_totals_until u USING (integration_id, mode)
CROSS JOIN LATERAL (
  SELECT coalesce(u.until, (SELECT created_at FROM payments p
    WHERE p.integration_id = o.integration_id AND p.mode = o.mode ORDER BY created_at LIMIT 1)) AS from_time
) begun
WHERE EXISTS (SELECT FROM payments p WHERE p.integration_id = o.integration_id AND p.mode = o.mode
  AND p.created_at >= from_time AND p.created_at < $1 ORDER BY p.created_at OFFSET $2 LIMIT 1)`;

type Waiting = Owner & { until: Date };

/** Locks how far an owner's payments are added up. */
async function lockUntil(tx: Tx, { integrationId, mode }: Owner): Promise<Date | null> {
  const { rows } = await tx.query<{ until: Date }>(
    'SELECT until FROM payment_totals_until WHERE integration_id = $1 AND mode = $2 FOR UPDATE',
    [integrationId, mode],
  );
  return rows[0]?.until ?? null;
}

/** Adds up an owner's payments of one more day, up to `edge` at most. Several processes may do so at once. */
async function addDay(
  db: Database,
  owner: Waiting,
  { edge, few }: { edge: Date; few: number },
): Promise<void> {
  const { integrationId, mode } = owner;
  await transaction(db, async (tx) => {
    await tx.query(
      `INSERT INTO payment_totals_until (integration_id, mode, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [integrationId, mode, floorTo(owner.until, 1440)],
    );
    const from = (await lockUntil(tx, owner)) ?? edge;
    const to = earlierOf(after(floorTo(from, 1440), daySeconds), edge);
    if (to <= from) return;
    for (const minutes of grains) {
      const [begin, end] = [floorTo(from, minutes), floorTo(to, minutes)];
      if (begin < end) await tx.query(addNewSql, [integrationId, mode, minutes, few, begin, end]);
    }
    await tx.query('UPDATE payment_totals_until SET until = $3 WHERE integration_id = $1 AND mode = $2', [
      integrationId,
      mode,
      to,
    ]);
  });
}

/** Adds up again what has changed of an owner's payments. The changes are taken first: a later one has a row of its own. */
async function addAgain(db: Database, owner: Owner, few: number): Promise<void> {
  const values = [owner.integrationId, owner.mode];
  await transaction(db, async (tx) => {
    const until = await lockUntil(tx, owner);
    const { rows } = await tx.query<{ since: Date }>(
      `DELETE FROM payment_late_changes WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM payment_late_changes WHERE integration_id = $1 AND mode = $2 ORDER BY since LIMIT $3
         FOR UPDATE SKIP LOCKED
       )) RETURNING since`,
      [...values, changesAtOnce],
    );
    if (until === null) return;
    for (const minutes of grains) {
      const changed = timesOf(rows, minutes, until);
      if (changed.length > 0) await tx.query(addAgainSql, [...values, minutes, few, changed]);
    }
  });
}

/** The times of a length in which these quarters of an hour are, and which are over by `until`. */
function timesOf(quarters: readonly { since: Date }[], minutes: Grain, until: Date): Date[] {
  const begins = new Set(quarters.map(({ since }) => floorTo(since, minutes).getTime()));
  return [...begins].map((begin) => new Date(begin)).filter((begin) => after(begin, minutes * 60) <= until);
}

/**
 * Returns the function that adds up payments by the time of their creation: what has changed of times that were added up
 * before, and days that have come since. A call adds up a bounded number of days. It returns whether nothing was left. Times
 * with no more than `few` payments are left out.
 */
export function createTotals(db: Database, now: Clock, few = fewPayments): () => Promise<boolean> {
  return async () => {
    const changed = await db.query<Owner>(
      'SELECT DISTINCT integration_id AS "integrationId", mode FROM payment_late_changes',
    );
    for (const owner of changed.rows) await addAgain(db, owner, few);
    const edge = floorTo(after(now(), -settledSeconds), 15);
    for (let parts = 0; parts < partsPerRun; ) {
      const { rows: waiting } = await db.query<Waiting>(ownersSql, [edge, few]);
      if (waiting.length === 0) return true;
      for (const owner of waiting) await addDay(db, owner, { edge, few });
      parts += waiting.length;
    }
    return false;
  };
}

/** Forgets what is added up of an owner whose payments of any time were changed or added, as `florin seed` does. */
export async function forgetTotals(tx: Tx, { integrationId, mode }: Owner): Promise<void> {
  for (const table of ['payment_totals_until', 'payment_totals']) {
    await tx.query(`DELETE FROM ${table} WHERE integration_id = $1 AND mode = $2`, [integrationId, mode]);
  }
}
