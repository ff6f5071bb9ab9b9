import { type Database, type Reader, type Tx, transaction } from '../kit/db/db.ts';
import { type Lease, leaveLease, takeLease, writeUnderLease } from '../kit/db/lease.ts';
import { newId } from '../kit/ids.ts';
import type { Place, SealedColumn } from '../kit/seal.ts';
import { smallNumber } from '../money/small-number.ts';
import { sealedColumns } from './sealed-columns.ts';

const leaseSeconds = 30;
const batch = 100;

/** The terms of the lease for sealing values again. */
export function resealTerms() {
  return { name: 'sealing values anew', holder: newId(), seconds: leaseSeconds };
}

/** How values are sealed again; those that begin with `header` are already. */
export type Reseal = { header: Buffer; seal(kept: Buffer, place: Place): Buffer };

/**
 * Seals again every other value, a hundred in a transaction under the lease. Locked rows are skipped. Returns how many
 * it sealed. Where it was interrupted, the next run continues. Throws LeaseLost.
 */
export async function resealAll(
  db: Database,
  lease: Lease,
  reseal: Reseal,
  onProgress: (sealed: number) => void = () => {},
): Promise<number> {
  let sealed = 0;
  for (const column of sealedColumns) {
    let last: string | null = null;
    do {
      const done: string[] = await writeUnderLease(db, lease, (tx) => resealBatch(tx, column, reseal, last));
      sealed += done.length;
      last = done.length === batch ? (done.at(-1) ?? null) : null;
      onProgress(sealed);
    } while (last !== null);
  }
  return sealed;
}

type Kept = { row: string; kept: Buffer };

async function resealBatch(
  tx: Tx,
  { table, column, key, keyType, at }: SealedColumn,
  { header, seal }: Reseal,
  last: string | null,
): Promise<string[]> {
  const { rows } = await tx.query<Kept>(
    `SELECT ${key}::text AS row, ${column} AS kept FROM ${table}
     WHERE ${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${header.length}) <> $1
       AND ($2::${keyType} IS NULL OR ${key} > $2::${keyType})
     ORDER BY ${key} LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`,
    [header, last],
  );
  await tx.query(
    `UPDATE ${table} t SET ${column} = d.sealed
     FROM unnest($1::${keyType}[], $2::bytea[]) AS d (row, sealed) WHERE t.${key} = d.row`,
    [rows.map(({ row }) => row), rows.map(({ row, kept }) => seal(kept, at(row)))],
  );
  return rows.map(({ row }) => row);
}

/** How many values of a column begin with the same bytes: a version and the id of a key. */
export type Use = { table: string; column: string; header: Buffer; values: number };

export async function countUses(reader: Reader, headerLength: number): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { table, column } of sealedColumns) {
    const { rows } = await reader.query<{ header: Buffer; count: bigint }>(
      `SELECT substring(${column} FROM 1 FOR $1) AS header, count(*) FROM ${table}
       WHERE ${column} IS NOT NULL GROUP BY 1`,
      [headerLength],
    );
    for (const { header, count } of rows) uses.push({ table, column, header, values: smallNumber(count) });
  }
  return uses;
}

const waitMs = 200;

/**
 * Seals again every value from before the envelope, once in the life of a database. A process that starts meanwhile
 * waits, so that a serving process never reads such a value.
 */
export async function resealEarlier(
  db: Database,
  reseal: Reseal,
  onProgress: (sealed: number) => void,
): Promise<void> {
  const terms = resealTerms();
  while (!(await isComplete(db))) {
    const lease = await takeLease(db, terms);
    try {
      // A run skips locked rows, so another one may be needed.
      if (lease) await resealAll(db, lease, reseal, onProgress);
      if (lease && (await noteComplete(db, reseal.header))) return;
    } finally {
      if (lease) await leaveLease(db, terms).catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function isComplete(reader: Reader): Promise<boolean> {
  return (await reader.query('SELECT FROM envelopes')).rowCount === 1;
}

async function noteComplete(db: Database, header: Buffer): Promise<boolean> {
  const version = header[0];
  return await transaction(db, async (tx) => {
    const uses = await countUses(tx, 1);
    if (uses.some((use) => use.header[0] !== version)) return false;
    await tx.query('INSERT INTO envelopes (complete_at) VALUES (now()) ON CONFLICT DO NOTHING');
    return true;
  });
}
