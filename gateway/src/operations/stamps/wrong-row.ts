import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Book } from './books.ts';
import { marksSql, storedMarksSql } from './sql.ts';

type Range = { number: bigint; version: number; book: Book; from_seq: bigint; to_seq: bigint; rows: number };

/** More rows than any stamp can have. */
const mostRows = 100_000;
const markDigits = 4;

/** Which row of a stamp is wrong, by the marks of its rows in the stamp. */
export async function wrongRow(
  reader: Reader,
  { number, version, book, from_seq, to_seq, rows: expected }: Range,
): Promise<{ row: string | null; found: string }> {
  const stored = await reader.query<{ marks: string }>(storedMarksSql, [number]);
  const { marks } = oneRow(stored, 'marks of a stamp');
  const { rows } = await reader.query<{ label: string; mark: string }>(marksSql(book, version), [
    from_seq,
    to_seq,
    mostRows,
  ]);
  const markAt = (n: number): string => marks.slice(n * markDigits, (n + 1) * markDigits);
  const place = rows.findIndex(({ mark }, n) => mark !== markAt(n));
  const row = rows[place]?.label ?? null;
  if (rows.length < expected) {
    const removed = expected - rows.length;
    const where = row === null ? placeAfter(rows.at(-1)?.label) : `before ${row}`;
    return { row: where, found: `rows are missing: ${removed} of ${expected}` };
  }
  if (rows.length > expected) {
    return { row, found: `rows were added: there are ${rows.length} in place of ${expected}` };
  }
  return { row, found: 'a row was changed' };
}

function placeAfter(label: string | undefined): string {
  return label === undefined ? 'all of them' : `after ${label}`;
}
