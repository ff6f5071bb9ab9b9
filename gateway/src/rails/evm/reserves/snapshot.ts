import type { Reader } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import type { Block } from '../rpc/block.ts';
import { placesOf } from '../scan/blocks/places.ts';
import { openingsOf, readAtPlace } from './openings.ts';

/** A token at an address of ours, and what the transfers that were read say that it holds. */
type Expected = {
  asset: AssetCode;
  token: Hex;
  address: Hex;
} & (
  | {
      /** `key`: an address below an extended key, whose owner moves its money unseen. */
      place: 'addresses' | 'key';
      units: bigint;
    }
  | {
      place: 'treasury' | 'vault';
      /** What it held beyond what was read; null: it was never compared with its chain. */
      opening: bigint | null;
      /** While `opening` is null, the sum of its final transfers; else null. */
      read: bigint | null;
      /** The last block of which its transfers are not read. */
      since: bigint;
    }
);

/** What is known of a chain's money at its last final block. */
export type ChainSnapshot = {
  chain: ChainConfig;
  block: Block;
  expected: Expected[];
  /** By asset, what is on the chain and not in the ledger yet; below zero for what is in it and no longer there. */
  unbooked: Map<AssetCode, bigint>;
  /** By asset, of that only what came. */
  arriving: Map<AssetCode, bigint>;
  /** Assets of which a treasury or vault is not read yet: what it holds is not known. */
  unread: ReadonlySet<AssetCode>;
};

type AddressRow = { asset: AssetCode; token: Hex; address: Hex; is_key: boolean; units: bigint };

/** Whether the money of a deposit address goes to a merchant's own. */
const isDirect = (address: string): string => `EXISTS (
  SELECT FROM evm_addresses own JOIN evm_direct_places d ON d.address = own.treasury WHERE own.address = ${address})`;

// Addresses that something should be left at: a sweep empties an address.
const addressesSql = `
WITH left_there AS (
  SELECT p.asset, p.token, p.address, sum(CASE t.kind WHEN 'deposit' THEN t.units ELSE -t.units END) AS units
  FROM (SELECT DISTINCT asset, token, address FROM evm_transfers
        WHERE chain_id = $1 AND kind = 'deposit' AND state = 'final' AND NOT swept AND token = ANY ($2)) p
  JOIN evm_transfers t ON t.chain_id = $1 AND t.token = p.token AND t.address = p.address
    AND t.kind <> 'move' AND t.state = 'final'
  GROUP BY p.asset, p.token, p.address
), moved AS (
  SELECT token, sender, sum(units) AS units FROM evm_transfers
  WHERE chain_id = $1 AND kind = 'move' AND source = 'addresses' AND state = 'final' GROUP BY token, sender
)
SELECT l.asset, l.token, l.address, a.treasury IS NULL AS is_key, l.units - coalesce(m.units, 0) AS units
FROM left_there l JOIN evm_addresses a USING (address)
LEFT JOIN moved m ON m.token = l.token AND m.sender = l.address
WHERE l.units > 0 AND NOT ${isDirect('l.address')}`;

/** Places whose money is not the gateway's. */
const outside = "('operator', 'direct')";

// What was reported is in the ledger: of a move only what comes from outside or goes there changes the whole.
const unbookedSql = `
SELECT t.asset, sum(CASE WHEN t.state = 'final' THEN s.units ELSE -s.units END) AS units,
  coalesce(sum(s.units) FILTER (WHERE t.state = 'final' AND s.units > 0), 0) AS arriving
FROM evm_transfers t
CROSS JOIN LATERAL (SELECT CASE
    WHEN t.kind = 'deposit' THEN t.units
    WHEN t.kind = 'move' AND t.source IN ${outside} AND t.target NOT IN ${outside} THEN t.units
    WHEN t.kind = 'move' AND t.target IN ${outside} AND t.source NOT IN ${outside} THEN -t.units
    ELSE 0 END AS units) s
WHERE t.chain_id = $1 AND NOT ${isDirect('t.address')} AND t.unreported AND (t.state = 'final') <> (coalesce(t.reported_state, 'gone') = 'final')
GROUP BY t.asset`;

/** Reads a chain's money in the caller's snapshot of the database; null before the scan of the chain has begun. */
export async function snapshotChain(reader: Reader, chain: ChainConfig): Promise<ChainSnapshot | null> {
  const { rows } = await reader.query<{ number: bigint | null; hash: Hex | null }>(
    'SELECT final_number AS number, final_hash AS hash FROM evm_chains WHERE chain_id = $1',
    [chain.id],
  );
  const { number, hash } = rows[0] ?? { number: null, hash: null };
  if (number === null || hash === null) return null;
  const addresses = await reader.query<AddressRow>(addressesSql, [
    chain.id,
    chain.tokens.map(({ address }) => address),
  ]);
  const unbooked = await reader.query<{ asset: AssetCode; units: bigint; arriving: bigint }>(unbookedSql, [
    chain.id,
  ]);
  return {
    chain,
    block: { number, hash },
    expected: [
      ...addresses.rows.map(
        ({ is_key, ...row }): Expected => ({ ...row, place: is_key ? 'key' : 'addresses' }),
      ),
      ...(await placesIn(reader, chain, number)),
    ],
    unbooked: new Map(unbooked.rows.map(({ asset, units }) => [asset, units])),
    arriving: new Map(unbooked.rows.map(({ asset, arriving }) => [asset, arriving])),
    unread: await unreadIn(reader, chain),
  };
}

/**
 * The assets of which the scan does not read every treasury and vault yet. It begins with those in its first round: after
 * an upgrade, or a change of the configuration, swept money would be missing until then.
 */
async function unreadIn(reader: Reader, { id, tokens }: ChainConfig): Promise<Set<AssetCode>> {
  const { rows } = await reader.query<{ token: Hex }>(
    `SELECT DISTINCT t.token FROM evm_chains c
     CROSS JOIN LATERAL unnest(c.treasuries || c.vaults) AS p (address) CROSS JOIN unnest($2::text[]) AS t (token)
     WHERE c.chain_id = $1
       AND NOT c.places @> jsonb_build_array(jsonb_build_object('address', p.address, 'token', t.token))`,
    [id, tokens.map(({ address }) => address)],
  );
  const unread = new Set(rows.map(({ token }) => token));
  return new Set(tokens.flatMap(({ address, asset }) => (unread.has(address) ? [asset] : [])));
}

async function placesIn(reader: Reader, { id, tokens }: ChainConfig, final: bigint): Promise<Expected[]> {
  const openings = await openingsOf(reader, id);
  const found: Expected[] = [];
  for (const { address, place, token, since } of await placesOf(reader, id)) {
    const asset = tokens.find((each) => each.address === token)?.asset;
    if (asset === undefined) continue;
    const opening = openings({ token, address });
    // All transfers since the beginning are added up once only.
    const read = opening === null ? await readAtPlace(reader, id, { token, address }, final) : null;
    found.push({ asset, token, address, place, since, opening, read });
  }
  return found;
}
