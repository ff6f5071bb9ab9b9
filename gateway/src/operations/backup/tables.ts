import { liftTimeLimits, type Reader, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { smallNumber } from '../../money/small-number.ts';

/** A table with the columns that hold data; the database computes the generated ones again. */
export type Table = { name: string; columns: string[] };

/** The state of a sequence of the database. */
export type Sequence = { name: string; last: string; isCalled: boolean };

// The rows of a partition are read through its parent. Unlogged tables, which a crash of the server empties, hold no
// data to keep. The list of migrations is written when they are applied.
const tablesSql = `
  SELECT c.relname AS name,
    array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p' AND c.relname <> 'schema_migrations'
  GROUP BY c.oid, c.relname ORDER BY c.relname`;

/** Every table whose rows belong in a backup, by name. */
export async function tablesOf(reader: Reader): Promise<Table[]> {
  const { rows } = await reader.query<Table>(tablesSql);
  return rows;
}

/**
 * Every sequence, by name. One that is read after a snapshot was opened is never behind the rows of the snapshot, since
 * a number is taken before its row is written.
 */
export async function sequencesOf(reader: Reader): Promise<Sequence[]> {
  const { rows } = await reader.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY relname`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await reader.query<Omit<Sequence, 'name'>>(
      `SELECT last_value::text AS last, is_called AS "isCalled" FROM ${quoted(name)}`,
    );
    sequences.push({ name, ...oneRow(found, `state of the sequence ${name}`) });
  }
  return sequences;
}

/** How many tables, views and sequences a database has, the table of migrations included, and without those of extensions. */
export async function relationCount(reader: Reader): Promise<number> {
  const result = await reader.query<{ count: bigint }>(
    `SELECT count(*) FROM pg_class c
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')`,
  );
  return smallNumber(oneRow(result, 'count of relations').count);
}

/**
 * Makes the text of values independent of the server's settings, and lifts the time limits of statements. Also allows
 * sequential scans, which Florin's connections avoid: here whole tables are read.
 */
export async function settleSession(reader: Reader): Promise<void> {
  const settings = {
    datestyle: 'ISO, YMD',
    intervalstyle: 'postgres',
    timezone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    client_encoding: 'UTF8',
    enable_seqscan: 'on',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  };
  await liftTimeLimits(reader);
  for (const [name, value] of Object.entries(settings)) {
    await reader.query('SELECT set_config($1, $2, true)', [name, value]);
  }
}

/**
 * Keeps the definitions of the tables from changing until the transaction ends, while all may read and write their rows, or
 * with `SHARE` only read them.
 */
export async function holdTables(
  reader: Reader,
  tables: Table[],
  mode: 'ACCESS SHARE' | 'SHARE' = 'ACCESS SHARE',
): Promise<void> {
  if (tables.length === 0) return;
  await reader.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN ${mode} MODE`);
}

export function copyOutSql({ name, columns }: Table): string {
  // As a query, because COPY reads a partitioned table in no other form.
  return `COPY (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}) TO STDOUT`;
}

export function copyInSql({ name, columns }: Table): string {
  return `COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`;
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Empties the tables and prepares them to be loaded one by one: drops foreign keys, which may form circles, disables
 * triggers, and drops indexes, which take less time when they are made at the end. Returns a function that restores all
 * of it and checks every key.
 */
export async function openForLoading(tx: Tx, tables: Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await tx.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE connamespace = current_schema()::regnamespace AND contype = 'f' AND conparentid = 0
     ORDER BY conrelid, conname`,
  );
  const { rows: indexes } = await tx.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'i' AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     ORDER BY i.indexrelid`,
  );
  const names = tables.map(({ name }) => quoted(name));
  for (const { table, name } of keys) await tx.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await tx.query(`DROP INDEX ${name}`);
  for (const name of names) await tx.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  if (names.length > 0) await tx.query(`TRUNCATE ${names.join(', ')}`);
  return async () => {
    for (const { definition } of indexes) await tx.query(definition);
    for (const { table, name, definition } of keys) {
      await tx.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    }
    for (const name of names) await tx.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  };
}

/** Sets a sequence; one that this database does not have is an error. */
export async function setSequence(tx: Tx, { name, last, isCalled }: Sequence): Promise<void> {
  await tx.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), last, isCalled]);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
