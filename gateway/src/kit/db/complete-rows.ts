import type { Reader } from './db.ts';
import { oneRow } from './one-row.ts';

/** A table to which rows are only added, and the sequence that numbers them. */
export type NumberedTable = { table: string; sequence: string };

/** The last numbers that were given out, and the transactions that were open after these were read. */
type Candidate<Name extends string> = { reach: Record<Name, bigint>; writers: string[] };

/** SQL for the last number that each table has given out, perhaps to a row that is not committed yet. */
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
 * Returns a function that returns the number up to which no row can be added to each table any more; null while that is
 * not known. A transaction locks the table before its row gets a number, and releases the lock after the row is visible
 * to others. So once all transactions have ended that held the lock after the numbers were read, all rows up to these
 * numbers are visible. The function never waits: each call checks again.
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
    // The numbers first: a transaction that takes a later one does not matter.
    const reach = oneRow(await reader.query<Record<Name, bigint>>(counters), 'numbers given out');
    const writers = await writersOf();
    candidate = { reach, writers };
    return writers.length === 0 ? reach : complete;
  };
}
