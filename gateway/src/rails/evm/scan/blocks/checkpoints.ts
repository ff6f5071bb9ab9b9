import type { Reader, Tx } from '../../../../kit/db/db.ts';
import type { Hex } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';

/** The end of a window that was read: its hash, and the endpoint that answered for the window. */
export type Checkpoint = Block & { endpoint: string };

/** All checkpoints of this many blocks below the final cursor are kept; of older ones, one in each thousand blocks. */
const keptBlocks = 256n;
const thinnedTo = 1_000n;

/** Notes a checkpoint. A known one keeps the name of the endpoint that answered first. */
export async function noteCheckpoint(
  tx: Tx,
  chainId: number,
  { number, hash }: Block,
  endpoint: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO evm_blocks AS b (chain_id, number, hash, endpoint) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chain_id, number) DO UPDATE SET hash = excluded.hash, endpoint = excluded.endpoint
     WHERE b.hash <> excluded.hash`,
    [chainId, number, hash, endpoint],
  );
}

/** The first checkpoints above a number, lowest first. */
export async function checkpointsAbove(
  reader: Reader,
  chainId: number,
  number: bigint,
  limit: number,
): Promise<Checkpoint[]> {
  const { rows } = await reader.query<Checkpoint>(
    'SELECT number, hash, endpoint FROM evm_blocks WHERE chain_id = $1 AND number > $2 ORDER BY number LIMIT $3',
    [chainId, number, limit],
  );
  return rows;
}

/** The last checkpoints below a number, highest first. */
export async function checkpointsBelow(
  reader: Reader,
  chainId: number,
  number: bigint,
  limit: number,
): Promise<Block[]> {
  const { rows } = await reader.query<{ number: bigint; hash: Hex }>(
    'SELECT number, hash FROM evm_blocks WHERE chain_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3',
    [chainId, number, limit],
  );
  return rows;
}

/** Deletes the checkpoints of a fork that the chain has left. */
export async function dropCheckpoints(tx: Tx, chainId: number, above: bigint): Promise<void> {
  await tx.query('DELETE FROM evm_blocks WHERE chain_id = $1 AND number > $2', [chainId, above]);
}

/** Thins out checkpoints far below the final cursor; the very first one stays. */
export async function thinCheckpoints(tx: Tx, chainId: number, final: bigint): Promise<void> {
  // Only those that came below the limit since the last time: the others were thinned before.
  await tx.query(
    `DELETE FROM evm_blocks b
     WHERE chain_id = $1 AND number < $2::bigint AND number >= $2::bigint - $3::bigint AND EXISTS (
       SELECT 1 FROM evm_blocks lower
       WHERE lower.chain_id = $1 AND lower.number < b.number AND lower.number >= b.number - b.number % $3::bigint)`,
    [chainId, final - keptBlocks, thinnedTo],
  );
}
