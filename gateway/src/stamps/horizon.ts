import type { Reader } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import type { Reach } from './books.ts';
import { countersSql, writersSql } from './sql.ts';

/** Up to where numbers were given out, and the transactions that were open after that was read. */
type Candidate = { reach: Reach; writers: string[] };

/**
 * Returns what tells how far no row can be added any more; null while that is not known. A row gets its number when its
 * transaction already holds a lock on the table, and is seen by others before the lock is given back. So once everybody
 * has ended who held that lock after the numbers were read, all rows up to these numbers are there. Nothing is waited
 * for: each call looks again.
 */
export function createHorizon(reader: Reader): () => Promise<Reach | null> {
  let candidate: Candidate | null = null;
  return async () => {
    const open = new Set(await writersOf(reader));
    if (candidate?.writers.some((writer) => open.has(writer))) return null;
    const settled = candidate?.reach ?? null;
    // The numbers first: who takes one later does not matter.
    const counters = await reader.query<Reach>(countersSql);
    const reach = oneRow(counters, 'counters of the books');
    const writers = await writersOf(reader);
    candidate = { reach, writers };
    return writers.length === 0 ? reach : settled;
  };
}

async function writersOf(reader: Reader): Promise<string[]> {
  const { rows } = await reader.query<{ writer: string }>(writersSql);
  return rows.map(({ writer }) => writer);
}
