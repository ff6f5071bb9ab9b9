import { countersSql } from '../../kit/db/complete-rows.ts';
import { type Book, books, bookTerms } from './books.ts';

/** Up to which row each book is stamped; with `$1` only by the stamps before that one. */
export const stampedSql = `SELECT ${books
  .map(
    (book) => `coalesce((
      SELECT s.to_seq FROM stamps s WHERE s.book = '${book}' AND ($1::bigint IS NULL OR s.number < $1)
      ORDER BY s.to_seq DESC LIMIT 1), 0) AS ${book}`,
  )
  .join(', ')}`;

/** Makes the planner look each row up by its key: it sometimes prefers to read a whole table. */
export const lookUpSql = `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_memoize', 'off', true), set_config('enable_seqscan', 'off', true)`;

/** The hash of each row of a range, as `hashed`; with the row's name where `labelled`. */
function hashedOf(book: Book, version: number, labelled = false): string {
  const { rows, label, encodings } = bookTerms[book];
  const encoding = encodings[version];
  if (encoding === undefined) throw new Error(`The rows of ${book} have no version ${version}`);
  const named = labelled ? `, ${label} AS label` : '';
  return `hashed AS MATERIALIZED (SELECT number.at, sha256(${encoding}) AS hash${named} FROM ${rows})`;
}

// Rows with the same number are ordered by hash, so that every reader has the same order.
const inOrder = 'ORDER BY at, hash';
const digest = `sha256(coalesce(string_agg(hash, ''::bytea ${inOrder}), ''::bytea))`;

const hashOf = (stamp: string): string =>
  `sha256(record_send(ROW(${[
    'number',
    'version',
    'book',
    'from_seq',
    'to_seq',
    'rows',
    'digest',
    'marks',
    'made_at',
    'previous',
  ]
    .map((column) => `${stamp}.${column}`)
    .join(', ')})))`;

/** Stamps the rows of the book `$1` up to `$2` at the time `$3`; the database writes the other columns (0323). */
export const stampSql = `INSERT INTO stamps (book, to_seq, made_at) VALUES ($1, $2, $3)
  RETURNING number, encode(hash, 'hex') AS hash, made_at`;

export const headSql = `
SELECT number, encode(hash, 'hex') AS hash, made_at FROM stamps ORDER BY number DESC LIMIT 1`;

/** Stamps from the number `$1` on, without their marks. `is_own`: the hash is that of the stamp's own columns. */
export const stampsSql = `
SELECT s.number, s.version, s.book, s.from_seq, s.to_seq, s.rows, encode(s.digest, 'hex') AS digest, s.made_at,
  encode(s.previous, 'hex') AS previous, encode(s.hash, 'hex') AS hash, ${hashOf('s')} = s.hash AS is_own
FROM stamps s WHERE s.number >= $1 ORDER BY s.number LIMIT $2`;

/** The digests of ranges that follow each other, from `$1` to `$2`; `$3` is where each begins. */
export const digestsSql = (book: Book, version: number): string => `
WITH ${hashedOf(book, version)}
SELECT width_bucket(at, $3::bigint[]) AS n, count(*)::int AS rows, encode(${digest}, 'hex') AS digest
FROM hashed GROUP BY 1`;

/** The rows of one range with their marks, in order. */
export const marksSql = (book: Book, version: number): string => `
WITH ${hashedOf(book, version, true)}
SELECT label, encode(substr(hash, 1, 2), 'hex') AS mark FROM hashed ${inOrder} LIMIT $3`;

/** The marks that a stamp holds. */
export const storedMarksSql = "SELECT encode(marks, 'hex') AS marks FROM stamps WHERE number = $1";

/** A row from `$1` to `$2` of any book: numbers below 1 are never given out, and no stamp covers them. */
export const belowSql = `SELECT label FROM (${books
  .map((book) => {
    const { label, rows } = bookTerms[book];
    return `(SELECT ${label} AS label FROM ${rows} LIMIT 1)`;
  })
  .join(' UNION ALL ')}) below LIMIT 1`;

// Only a few rows after the head are read: there may be many.
const oldestOf = (book: Book, at: string, join = ''): string =>
  `(SELECT ${at} FROM ${bookTerms[book].table} r ${join}
    WHERE r.seq BETWEEN stamped.${book} + 1 AND stamped.${book} + 1000 ORDER BY r.seq LIMIT 1)`;

/** The head and the rows after it, as figures for a graph. Numbers that were given out and not used count as rows. */
export const figuresSql = `
SELECT coalesce(head.number, 0)::float8 AS head, coalesce(head.mark, 0)::float8 AS mark,
  (${books.map((book) => `counters.${book} - stamped.${book}`).join(' + ')})::float8 AS rows,
  coalesce(greatest(0, extract(epoch FROM now() - least(
    ${oldestOf('audit', 'r.at')},
    ${oldestOf('ledger', 't.created_at', 'JOIN ledger_transfers t ON t.id = r.transfer')}))), 0)::float8 AS age
FROM (${countersSql(bookTerms)}) counters
CROSS JOIN (${stampedSql.replaceAll('$1', 'NULL')}) stamped
LEFT JOIN (
  SELECT number, ('x' || encode(substr(hash, 1, 6), 'hex'))::bit(48)::bigint AS mark
  FROM stamps ORDER BY number DESC LIMIT 1
) head ON true`;
