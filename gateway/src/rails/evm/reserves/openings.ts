import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import { type Holding, holdingKey } from '../scan/final/balances.ts';

/** What the final transfers `t` up to a block say that a place, treasury or vault, holds of a token. */
const readSql = (chain: string, token: string, address: string, through: string): string => `
  SELECT coalesce(sum(CASE WHEN kind = 'sweep' OR receiver = ${address} THEN units ELSE -units END), 0)
  FROM evm_transfers t
  WHERE chain_id = ${chain} AND token = ${token} AND state = 'final' AND block_number <= ${through} AND CASE kind
    WHEN 'sweep' THEN EXISTS (SELECT FROM evm_addresses a WHERE a.address = t.address AND a.treasury = ${address})
    WHEN 'move' THEN ${address} IN (sender, receiver)
    ELSE false END`;

/**
 * The known openings of a chain, by address and token. Where transfers of the blocks before were corrected since, the
 * opening changes by the difference: the balance was right.
 */
export async function openingsOf(
  reader: Reader,
  chainId: number,
): Promise<(holding: Holding) => bigint | null> {
  const { rows } = await reader.query<Holding & { units: bigint }>(
    `SELECT token, address, units - CASE WHEN read_units IS NULL THEN 0
       ELSE (${readSql('o.chain_id', 'o.token', 'o.address', 'o.block_number')}) - read_units END AS units
     FROM evm_openings o WHERE chain_id = $1`,
    [chainId],
  );
  const known = new Map(rows.map((row) => [holdingKey(row), row.units]));
  return (holding) => known.get(holdingKey(holding)) ?? null;
}

/** What the final transfers that were read up to a block say that a treasury or vault holds of a token. */
export async function readAtPlace(
  reader: Reader,
  chainId: number,
  { token, address }: Holding,
  through: bigint,
): Promise<bigint> {
  const { rows } = await reader.query<{ units: bigint }>(
    `SELECT (${readSql('$1', '$2', '$3', '$4')}) AS units`,
    [chainId, token, address, through],
  );
  return rows[0]?.units ?? 0n;
}

/** `units`: the opening of a token at an address. `read`: the sum of the transfers that were read up to `block`. */
export type Opening = { token: Hex; address: Hex; units: bigint; read: bigint; block: bigint };

/** Keeps an opening; the first one that is found stays. */
export async function keepOpening(
  reader: Reader,
  chainId: number,
  { token, address, units, read, block }: Opening,
  now: Date,
): Promise<void> {
  await reader.query(
    `INSERT INTO evm_openings (chain_id, address, token, units, read_units, block_number, found_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [chainId, address, token, units, read, block, now],
  );
}
