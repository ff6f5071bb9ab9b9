import { type Database, type Reader, type Tx, transaction } from '../../../../kit/db/db.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';
import type { Trusted } from './trust.ts';
import { type StoredUnconfirmed, type Unconfirmed, unconfirmedOf } from './unconfirmed.ts';

/** Longer than any exchange with an endpoint takes: what lies between two writes is one or a few of them. */
export const leaseSeconds = 30;

/** Another process scans this chain now. What this one was about to write, it must not. */
export class LeaseLost extends Error {}

/** A chain that this scanner may work on, and where it stands. */
export type Held = {
  chainId: number;
  fence: bigint;
  /** Null before the first block: both are set together. */
  seen: Block | null;
  final: Block | null;
  startNumber: bigint | null;
  trusted: Trusted | null;
  unconfirmed: readonly Unconfirmed[];
  /** Of all chains: an address is the same on each of them, and money may come on the wrong one. */
  treasuries: ReadonlySet<Hex>;
};

type Row = {
  fence: bigint;
  seen_number: bigint | null;
  seen_hash: Hex | null;
  final_number: bigint | null;
  final_hash: Hex | null;
  start_number: bigint | null;
  trusted_number: bigint | null;
  trusted_at: Date | null;
  unconfirmed: StoredUnconfirmed[];
  treasuries: Hex[];
};

/** Takes or renews the lease of a chain, by the database's time; null while another scanner has it. */
export async function takeLease(reader: Reader, chain: ChainConfig, scanner: string): Promise<Held | null> {
  const treasury = chain.receiving.kind === 'forwarder' ? [chain.receiving.treasury] : [];
  const { rows } = await reader.query<Row>(
    `INSERT INTO evm_chains AS c (chain_id, scanner, lease_until, fence, treasuries)
     VALUES ($1, $2, now() + $3 * interval '1 second', 1, $4)
     ON CONFLICT (chain_id) DO UPDATE SET
       fence = c.fence + (c.scanner IS DISTINCT FROM excluded.scanner)::integer,
       scanner = excluded.scanner, lease_until = excluded.lease_until,
       treasuries = CASE WHEN c.treasuries @> excluded.treasuries THEN c.treasuries
                         ELSE c.treasuries || excluded.treasuries END
     WHERE c.scanner = excluded.scanner OR c.lease_until IS NULL OR c.lease_until < now()
     RETURNING fence, seen_number, seen_hash, final_number, final_hash, start_number, trusted_number,
       trusted_at, unconfirmed,
       ARRAY(SELECT unnest(c.treasuries) UNION SELECT unnest(o.treasuries) FROM evm_chains o) AS treasuries`,
    [chain.id, scanner, leaseSeconds, treasury],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    chainId: chain.id,
    fence: row.fence,
    seen: blockOf(row.seen_number, row.seen_hash),
    final: blockOf(row.final_number, row.final_hash),
    startNumber: row.start_number,
    trusted:
      row.trusted_number !== null && row.trusted_at !== null
        ? { number: row.trusted_number, at: row.trusted_at }
        : null,
    unconfirmed: row.unconfirmed.map(unconfirmedOf),
    treasuries: new Set(row.treasuries),
  };
}

const blockOf = (number: bigint | null, hash: Hex | null): Block | null =>
  number !== null && hash !== null ? { number, hash } : null;

/**
 * Writes for a chain in one transaction, if the lease was not taken over, and renews it. Throws LeaseLost. The
 * chain's row stays locked until the end, so that a successor begins after this.
 */
export async function writeHeld<T>(
  db: Database,
  { chainId, fence }: Pick<Held, 'chainId' | 'fence'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await transaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE evm_chains SET lease_until = now() + $3 * interval '1 second' WHERE chain_id = $1 AND fence = $2`,
      [chainId, fence, leaseSeconds],
    );
    if (rowCount !== 1) throw new LeaseLost(`Another process scans chain ${chainId}`);
    return await work(tx);
  });
}

/** Gives the lease back, so that another process need not wait for its end. */
export async function releaseLease(reader: Reader, chainId: number, scanner: string): Promise<void> {
  await reader.query('UPDATE evm_chains SET lease_until = NULL WHERE chain_id = $1 AND scanner = $2', [
    chainId,
    scanner,
  ]);
}
