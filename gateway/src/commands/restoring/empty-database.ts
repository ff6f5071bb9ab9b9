import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';

/** A database that holds what somebody did, which nothing replaces. */
class NotFresh extends Error {
  constructor() {
    super(
      'Somebody has used this installation already: a backup is restored here only while it has no account, business, ' +
        'payment or money. Restore it by florin restore into a new database. Nothing was changed.',
    );
    this.name = 'NotFresh';
  }
}

/** Where everything that a person did, and all money, leaves a row. */
const used = ['accounts', 'merchants', 'integrations', 'users', 'payments', 'payouts', 'ledger_transfers'];

/** Throws NotFresh unless nobody has used the database. */
async function assertFresh(reader: Reader): Promise<void> {
  const parts = used.map((table) => `EXISTS (SELECT FROM ${table})`);
  const answer = await reader.query<{ is_used: boolean }>(`SELECT ${parts.join(' OR ')} AS is_used`);
  if (oneRow(answer, 'whether the database is used').is_used) throw new NotFresh();
}

const objectsSql = `
  SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind,
    c.oid::regclass::text AS name
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT c.relispartition
    AND NOT EXISTS (
      -- A table that is divided depends on its own columns, as sub-objects.
      SELECT FROM pg_depend d
      WHERE d.objid = c.oid AND d.objsubid = 0 AND d.deptype IN ('e', 'i', 'a') AND d.classid = 'pg_class'::regclass
    )
  UNION ALL
  SELECT 'FUNCTION', p.oid::regprocedure::text FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass)
  ORDER BY 1, 2`;

/**
 * Locks every table against all others, without waiting: throws with SQLSTATE 55P03 while somebody uses one. So it never
 * waits for a transaction that waits for it.
 */
async function lockAll(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  await tx.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT`);
}

/**
 * Removes every table, view, counter and function of a fresh database, as its owner, in the caller's transaction: until that
 * commits, others see the database as it was. Throws NotFresh, and SQLSTATE 55P03 while a table is in use.
 */
export async function emptyFreshDatabase(tx: Tx): Promise<void> {
  await lockAll(tx);
  await assertFresh(tx);
  await dropAll(tx);
}

/** Removes every table, view, counter and function of a database, as their owner. */
export async function dropAll(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ kind: string; name: string }>(objectsSql);
  const order = ['VIEW', 'MATERIALIZED VIEW', 'TABLE', 'SEQUENCE', 'FUNCTION'];
  for (const kind of order) {
    const names = rows.filter((row) => row.kind === kind).map(({ name }) => name);
    // A trigger's function goes after its table, and a counter with its column.
    if (names.length > 0) await tx.query(`DROP ${kind} IF EXISTS ${names.join(', ')} CASCADE`);
  }
}
