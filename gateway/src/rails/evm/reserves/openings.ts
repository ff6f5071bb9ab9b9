import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import { type Holding, holdingKey } from '../scan/final/balances.ts';

/** The openings of a chain that are known, by address and token. */
export async function openingsOf(
  reader: Reader,
  chainId: number,
): Promise<(holding: Holding) => bigint | null> {
  const { rows } = await reader.query<Holding & { units: bigint }>(
    'SELECT token, address, units FROM evm_openings WHERE chain_id = $1',
    [chainId],
  );
  const known = new Map(rows.map((row) => [holdingKey(row), row.units]));
  return (holding) => known.get(holdingKey(holding)) ?? null;
}

/** What the final transfers that were read say that a treasury or vault holds of a token. */
export async function readAtPlace(
  reader: Reader,
  chainId: number,
  { token, address }: Holding,
): Promise<bigint> {
  const { rows } = await reader.query<{ units: bigint }>(
    `SELECT coalesce(sum(CASE WHEN kind = 'sweep' OR receiver = $3 THEN units ELSE -units END), 0) AS units
     FROM evm_transfers t
     WHERE chain_id = $1 AND token = $2 AND state = 'final' AND CASE kind
       WHEN 'sweep' THEN EXISTS (SELECT FROM evm_addresses a WHERE a.address = t.address AND a.treasury = $3)
       WHEN 'move' THEN $3 IN (sender, receiver)
       ELSE false END`,
    [chainId, token, address],
  );
  return rows[0]?.units ?? 0n;
}

/** Keeps an opening; the first one that is found stays. */
export async function keepOpening(
  reader: Reader,
  chainId: number,
  { token, address, units }: { token: Hex; address: Hex; units: bigint },
  block: bigint,
  now: Date,
): Promise<void> {
  await reader.query(
    `INSERT INTO evm_openings (chain_id, address, token, units, block_number, found_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [chainId, address, token, units, block, now],
  );
}
