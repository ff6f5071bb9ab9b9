import type { Reader } from './db.ts';
import { oneRow } from './one-row.ts';

/** A table that rows are only added to, and the sequence that numbers them. */
export type NumberedTable = { table: string; sequence: string };

/** Up to where numbers were given out, and the transactions that were open after that was read. */
type Candidate<Name extends string> = { reach: Record<Name, bigint>; writers: string[] };

/** Up to which number each table has given numbers out, to rows that may not be committed yet. */
export function countersSql(tables: Record<string, NumberedTable>): string {
  const columns = Object.entries(tables).map(
    ([name, { sequence }]) =>
      `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${sequence}) AS ${name}`,
  );
  return `SELECT ${columns.join(', ')}`;
}

/** The open transactions that may have added rows: they hold this lock until they end. */
const writersSql = (tables: Record<string, NumberedTable>): string => `
SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation IN (${Object.values(tables)
    .map(({ table }) => `'${table}'::regclass`)
    .join(', ')})`;

/**
 * Returns what says up to which number no row can be added to these tables any more; null while that is not known.
 * A row gets its number when its transaction already holds a lock on the table, and is seen by others before the lock
 * is given back. So once everybody has ended who held that lock after the numbers were read, all rows up to these
 * numbers are there. Nothing is waited for: each call looks again.
 */
export function createCompleteRows<Name extends string>(
  reader: Reader,
  tables: Record<Name, NumberedTable>,
): () => Promise<Record<Name, bigint> | null> {
  const counters = countersSql(tables);
  const openWriters = writersSql(tables);
  let candidate: Candidate<Name> | null = null;

  async function writersOf(): Promise<string[]> {
    const { rows } = await reader.query<{ writer: string }>(openWriters);
    return rows.map(({ writer }) => writer);
  }

  return async () => {
    const open = new Set(await writersOf());
    if (candidate?.writers.some((writer) => open.has(writer))) return null;
    const complete = candidate?.reach ?? null;
    // The numbers first: who takes one later does not matter.
    const reach = oneRow(await reader.query<Record<Name, bigint>>(counters), 'numbers given out');
    const writers = await writersOf();
    candidate = { reach, writers };
    return writers.length === 0 ? reach : complete;
  };
}
