import type { Database, Reader, Tx } from '../../../../kit/db/db.ts';
import { type Lease, leaveLease, takeLease, writeUnderLease } from '../../../../kit/db/lease.ts';
import { oneRow } from '../../../../kit/db/one-row.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';
import { type Places, placeWatchOf, type StoredPlaceWatch } from './place-watch.ts';
import type { Trusted } from './trust.ts';
import { type StoredUnconfirmed, type Unconfirmed, unconfirmedOf } from './unconfirmed.ts';

/** Longer than any request to an endpoint takes: there are one or a few of them between two writes. */
const leaseSeconds = 30;

/** A chain whose lease this scanner holds, and its cursors. */
export type Held = {
  chainId: number;
  lease: Lease;
  /** Null before the first block: both are set together. */
  seen: Block | null;
  final: Block | null;
  startNumber: bigint | null;
  trusted: Trusted | null;
  unconfirmed: readonly Unconfirmed[];
  /**
   * The vaults, and the treasuries and addresses of direct settlement of all chains: those are the same on each, and money
   * may come on the wrong one.
   */
  places: Places;
};

type Row = {
  seen_number: bigint | null;
  seen_hash: Hex | null;
  final_number: bigint | null;
  final_hash: Hex | null;
  start_number: bigint | null;
  trusted_number: bigint | null;
  trusted_at: Date | null;
  unconfirmed: StoredUnconfirmed[];
  treasuries: Hex[];
  vaults: Hex[];
  places: StoredPlaceWatch[];
  direct: Hex[];
};

const leaseName = (chainId: number): string => `evm scan ${chainId}`;

/** Takes or extends the lease of a chain; null while another scanner has it. `scanner`: a UUID. */
export async function takeChain(reader: Reader, chain: ChainConfig, scanner: string): Promise<Held | null> {
  const terms = { name: leaseName(chain.id), holder: scanner, seconds: leaseSeconds };
  const lease = await takeLease(reader, terms);
  return lease && { lease, ...(await readChain(reader, chain)) };
}

/** Ends the lease, so that another process need not wait until it runs out. */
export async function leaveChain(reader: Reader, chainId: number, scanner: string): Promise<void> {
  await leaveLease(reader, { name: leaseName(chainId), holder: scanner });
}

/** Writes for a chain in one transaction while its lease is held. Throws LeaseLost. */
export async function writeHeld<T>(
  db: Database,
  { lease }: Pick<Held, 'lease'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await writeUnderLease(db, lease, work);
}

async function readChain(reader: Reader, chain: ChainConfig): Promise<Omit<Held, 'lease'>> {
  const treasury = chain.receiving.kind === 'forwarder' ? [chain.receiving.treasury] : [];
  const found = await reader.query<Row>(
    `INSERT INTO evm_chains AS c (chain_id, treasuries, vaults) VALUES ($1, $2, $3)
     ON CONFLICT (chain_id) DO UPDATE SET
       treasuries = CASE WHEN c.treasuries @> excluded.treasuries THEN c.treasuries
                         ELSE c.treasuries || excluded.treasuries END,
       vaults = CASE WHEN c.vaults @> excluded.vaults THEN c.vaults ELSE c.vaults || excluded.vaults END
     RETURNING seen_number, seen_hash, final_number, final_hash, start_number, trusted_number,
       trusted_at, unconfirmed, vaults, places,
       ARRAY(SELECT unnest(c.treasuries) UNION SELECT unnest(o.treasuries) FROM evm_chains o) AS treasuries,
       ARRAY(SELECT address FROM evm_direct_places WHERE is_test = $4) AS direct`,
    [chain.id, treasury, chain.vault ? [chain.vault.address] : [], chain.isTest ?? false],
  );
  const row = oneRow(found, 'read chain');
  return {
    chainId: chain.id,
    seen: blockOf(row.seen_number, row.seen_hash),
    final: blockOf(row.final_number, row.final_hash),
    startNumber: row.start_number,
    trusted:
      row.trusted_number !== null && row.trusted_at !== null
        ? { number: row.trusted_number, at: row.trusted_at }
        : null,
    unconfirmed: row.unconfirmed.map(unconfirmedOf),
    places: {
      // A vault may be the treasury too.
      configured: [
        ...row.vaults.map((address) => ({ address, place: 'vault' as const })),
        ...row.treasuries.map((address) => ({ address, place: 'treasury' as const })),
      ],
      watches: row.places.map(placeWatchOf),
      direct: new Set(row.direct),
    },
  };
}

const blockOf = (number: bigint | null, hash: Hex | null): Block | null =>
  number !== null && hash !== null ? { number, hash } : null;
