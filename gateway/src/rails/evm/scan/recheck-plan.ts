import type { Reader } from '../../../kit/db.ts';

/**
 * Makes the scanner of a chain read a block again, from `due` on: for a transfer that it may have missed. A block
 * that it has not come to yet is read anyway.
 */
export async function planRecheck(
  reader: Reader,
  chainId: number,
  blockNumber: bigint,
  due: Date,
): Promise<void> {
  await reader.query(
    `INSERT INTO evm_rechecks AS r (chain_id, block_number, due_at) VALUES ($1, $2, $3)
     ON CONFLICT (chain_id, block_number) DO UPDATE SET due_at = least(r.due_at, excluded.due_at)`,
    [chainId, blockNumber, due],
  );
}
