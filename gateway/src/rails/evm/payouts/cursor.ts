import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import type { Block } from '../rpc/block.ts';

/** The block up to which a vault's events were read. `hash`: null after a step back; the block is then not compared. */
export type Cursor = { number: bigint; hash: Hex | null };

/** The last block that the scan of a chain calls final; null: none yet. */
export async function finalBlock(reader: Reader, chainId: number): Promise<Block | null> {
  const { rows } = await reader.query<Block>(
    `SELECT final_number AS number, final_hash AS hash FROM evm_chains
     WHERE chain_id = $1 AND final_number IS NOT NULL`,
    [chainId],
  );
  return rows[0] ?? null;
}

export async function readCursor(reader: Reader, chainId: number): Promise<Cursor | null> {
  const { rows } = await reader.query<Cursor>(
    `SELECT read_number AS number, read_hash AS hash FROM evm_payout_senders
     WHERE chain_id = $1 AND read_number IS NOT NULL`,
    [chainId],
  );
  return rows[0] ?? null;
}

export async function moveCursor(
  tx: Tx,
  chainId: number,
  { number, hash }: Cursor,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO evm_payout_senders (chain_id, read_number, read_hash, read_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chain_id) DO UPDATE SET read_number = excluded.read_number, read_hash = excluded.read_hash,
       read_at = excluded.read_at`,
    [chainId, number, hash, now],
  );
}

/** The vaults whose events report our payouts: the one that is configured, and those that were. */
export async function vaultsOf(reader: Reader, chainId: number, vault: Hex): Promise<Hex[]> {
  const { rows } = await reader.query<{ treasury: Hex }>(
    `SELECT treasury FROM evm_transactions WHERE chain_id = $1 AND kind = 'payout' AND treasury <> $2
     UNION SELECT vault FROM evm_exports WHERE chain_id = $1 AND vault <> $2 AND NOT is_plain`,
    [chainId, vault],
  );
  return [vault, ...rows.map(({ treasury }) => treasury)].sort();
}
