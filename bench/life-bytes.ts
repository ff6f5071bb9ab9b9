import type { Database } from '../gateway/src/kit/db/db.ts';
import { isShort, type RowOptions } from './http-row.ts';
import { type LivesRig, type Merchants, openShops, play } from './lives-rig.ts';
import type { Amount, Case } from './result.ts';

const connections = 64;
const rounds = 4;
const shownBytes = 20;

type Sizes = { name: string; table: bigint; index: bigint; toast: bigint };

/**
 * What one completed payment with its events, entries, deliveries and attempts takes on the disk, what it writes to the log
 * of the database (WAL), and how many statements complete it.
 */
export async function lifeBytes(rig: LivesRig, { seconds, progress }: RowOptions): Promise<Case> {
  const { db } = rig.gateway;
  const shops = await openShops(rig, 1, true);
  const aRound = isShort(seconds) ? 20 : 1_000;
  await play(rig, shops, 'live', { connections, count: aRound });
  await db.query('VACUUM ANALYZE');
  await db.query('CHECKPOINT');
  const before = await readSizes(db);
  const logStart = await readLog(db);
  // Vacuumed as often as a gateway's tables: later rows reuse the space that updates leave.
  let log = 0;
  let from = logStart;
  for (let round = 0; round < rounds; round += 1) {
    await play(rig, shops, 'live', { connections, count: aRound });
    log += Number((await readLog(db)) - from);
    await db.query('VACUUM');
    from = await readLog(db);
  }
  const after = await readSizes(db);
  const count = rounds * aRound;
  const grown = after.map((each) => grownSince(before, each, count));
  for (const { name, table, index, toast } of grown) {
    if (table + index + toast >= shownBytes)
      progress(`${name}: ${[table, index, toast].map(Math.round).join(' + ')} bytes a payment`);
  }
  const sum = (of: 'table' | 'index' | 'toast'): number => grown.reduce((all, each) => all + each[of], 0);
  const amounts: Amount[] = [
    { of: 'bytes on the disk', count: sum('table') + sum('index') + sum('toast') },
    { of: 'bytes of tables', count: sum('table') },
    { of: 'bytes of indexes', count: sum('index') },
    { of: 'bytes of values stored apart (TOAST)', count: sum('toast') },
    { of: 'bytes of WAL', count: log / count },
  ];
  if (!isShort(seconds)) {
    const statements = await countStatements(rig, shops, aRound / 10);
    amounts.push({ of: 'statements, paid alone and its webhook sent', count: statements });
  }
  for (const { of, count: each } of amounts) progress(`${Math.round(each)} ${of} a payment`);
  return { name: 'a completed payment', figures: {}, runs: {}, ratios: [], limits: {}, amounts };
}

/** How many statements a payment takes, with BEGIN and COMMIT, when `count` payments are paid one after the other. */
async function countStatements(rig: LivesRig, shops: Merchants, count: number): Promise<number> {
  const { db } = rig.gateway;
  await play(rig, shops, 'create', { connections, count });
  await db.query('SELECT pg_stat_statements_reset()');
  await play(rig, shops, 'complete', { connections: 1, count });
  // Statements that are rarer than payments belong to the gateway's loops.
  const { rows } = await db.query<{ calls: bigint }>(
    'SELECT coalesce(sum(calls), 0)::bigint AS calls FROM pg_stat_statements WHERE calls >= $1',
    [count / 2],
  );
  return Number(rows[0]?.calls ?? 0n) / count;
}

async function readSizes(db: Database): Promise<Sizes[]> {
  const { rows } = await db.query<Sizes>(
    `SELECT coalesce(pg_partition_root(oid)::regclass::text, relname) AS name, sum(pg_relation_size(oid))::bigint AS table,
       sum(pg_indexes_size(oid))::bigint AS index,
       sum(CASE WHEN reltoastrelid = 0 THEN 0 ELSE pg_total_relation_size(reltoastrelid) END)::bigint AS toast
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

async function readLog(db: Database): Promise<bigint> {
  const { rows } = await db.query<{ at: bigint }>("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS at");
  return rows[0]?.at ?? 0n;
}

function grownSince(before: readonly Sizes[], { name, table, index, toast }: Sizes, count: number) {
  const old = before.find((each) => each.name === name) ?? { table: 0n, index: 0n, toast: 0n };
  const each = (now: bigint, then: bigint): number => Number(now - then) / count;
  return {
    name,
    table: each(table, old.table),
    index: each(index, old.index),
    toast: each(toast, old.toast),
  };
}
