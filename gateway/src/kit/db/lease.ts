import { type Database, type Reader, type Tx, transaction } from './db.ts';

/** The name and holder of a lease, and how long it lasts after its last extension. */
export type LeaseTerms = {
  /** What is held, such as `evm scan 56`. */
  name: string;
  /** A UUID of the process, or of a part of it that works by itself. */
  holder: string;
  /** Longer than any step between two writes under the lease takes. */
  seconds: number;
};

/** A lease that is held. The fence grows with each new holder. */
export type Lease = LeaseTerms & { fence: bigint };

/** Another holder has taken the lease: nothing may be written. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease "${name}" was taken by another process`);
    this.name = 'LeaseLost';
  }
}

/** Takes a lease, or extends it for its holder; null while another one holds it. By the database's clock. */
export async function takeLease(reader: Reader, terms: LeaseTerms): Promise<Lease | null> {
  const { rows } = await reader.query<{ fence: bigint }>({
    name: 'take-lease',
    text: `INSERT INTO leases AS l (name, holder, held_until) VALUES ($1, $2, now() + $3 * interval '1 second')
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
             fence = CASE WHEN l.holder = excluded.holder THEN l.fence ELSE excluded.fence END
           WHERE l.holder = excluded.holder OR l.held_until <= now()
           RETURNING fence`,
    values: [terms.name, terms.holder, terms.seconds],
  });
  const row = rows[0];
  return row ? { ...terms, fence: row.fence } : null;
}

/**
 * Extends a lease and locks its row until the transaction ends, so that the next holder begins after that. A lease
 * that ran out, and that no other one took, is extended too. Throws LeaseLost.
 */
export async function holdLease(tx: Tx, { name, fence, seconds }: Lease): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'hold-lease',
    text: `UPDATE leases SET held_until = now() + $3 * interval '1 second' WHERE name = $1 AND fence = $2`,
    values: [name, fence, seconds],
  });
  if (rowCount !== 1) throw new LeaseLost(name);
}

/** Writes in one transaction while the lease is held. Throws LeaseLost, and then has written nothing. */
export async function writeUnderLease<T>(
  db: Database,
  lease: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await transaction(db, async (tx) => {
    await holdLease(tx, lease);
    return await work(tx);
  });
}

/** After this long the lease is not extended any more, so that another holder may begin. */
const keptSeconds = 120;

/**
 * Extends a lease while its holder works, so that it may be short: after a process was killed another one takes over when
 * its seconds have passed. Returns a function that stops that.
 */
export function keepLease(reader: Reader, { name, fence, seconds }: Lease): () => void {
  const everyMs = (seconds * 1000) / 4;
  let left = (keptSeconds * 1000) / everyMs;
  const beat = setInterval(() => {
    left -= 1;
    if (left <= 0) clearInterval(beat);
    const text = `UPDATE leases SET held_until = now() + $3 * interval '1 second' WHERE name = $1 AND fence = $2`;
    // Where the database cannot be reached the lease runs out.
    reader.query({ name: 'keep-lease', text, values: [name, fence, seconds] }).catch(() => {});
  }, everyMs);
  beat.unref();
  return () => clearInterval(beat);
}

/** Ends a lease of this holder's, so that another one need not wait until it runs out. */
export async function leaveLease(
  reader: Reader,
  { name, holder }: Pick<LeaseTerms, 'name' | 'holder'>,
): Promise<void> {
  await reader.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder]);
}

/** Ends every lease: for a gateway that is alone with its database, so that all holders are dead. */
export async function forgetLeases(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM leases');
}
