// Entries are indexed by their account and by blocks of 256 numbers, in which PostgreSQL keeps 6 bytes for each entry
// of an account in place of 28. So each condition and each order names the block too.

/** SQL for the block of an entry's number. */
const blockOf = (seq: string): string => `(${seq} >> 8)`;

/** SQL: that the entries `e` have numbers in this relation to another one. */
export const seqIs = (e: string, relation: '>' | '>=' | '<' | '<=', seq: string): string =>
  `${blockOf(`${e}.seq`)} ${relation[0]}= ${blockOf(seq)} AND ${e}.seq ${relation} ${seq}`;

/** SQL for the order of an account's entries `e`. */
export const bySeq = (e: string, direction: '' | ' DESC' = ''): string =>
  `ORDER BY ${blockOf(`${e}.seq`)}${direction}, ${e}.seq${direction}`;
