import type { Database } from '../../../kit/db/db.ts';
import type { ChainConfig } from '../config/chains.ts';
import { type Block, headerCall, requireHeader } from '../rpc/block.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { noteCheckpoint } from './blocks/checkpoints.ts';
import { type Held, writeHeld } from './blocks/held-chain.ts';
import { beginSecondReadings } from './blocks/second-cursor.ts';
import type { Head } from './head/head.ts';

export type Start = { db: Database; endpoints: Endpoints; chain: ChainConfig; learned: Head; now: Date };

/**
 * Puts both cursors where the scan of a new chain begins: before the configured block, or at the last final one. From
 * there on every block is read, so that no transfer is missed that comes while the first process starts. Null while
 * the chain has not reached that block. Throws RpcFault, also while endpoints do not agree on it.
 */
export async function beginScan(start: Start, held: Held): Promise<Block | null> {
  const { db, endpoints, chain, now } = start;
  const { head, target, agreed } = start.learned;
  if (chain.startBlock === null && !agreed) {
    throw new RpcFault('behind', 'no second endpoint has answered yet how far the chain is');
  }
  // The first block of a chain has no transfers.
  const number = chain.startBlock === null ? target : BigInt(Math.max(chain.startBlock - 1, 0));
  if (number > head.number) return null;
  const { value: block, endpoint } = await endpoints.use(async (asked) => {
    const [answer] = await asked.batch([headerCall(number)]);
    return requireHeader(answer, number);
  });
  await writeHeld(db, held, async (tx) => {
    await tx.query(
      `UPDATE evm_chains SET start_number = $2, seen_number = $2, seen_hash = $3, final_number = $2, final_hash = $3
       WHERE chain_id = $1`,
      [chain.id, number, block.hash],
    );
    await noteCheckpoint(tx, chain.id, block, endpoint.name);
    await beginSecondReadings(tx, chain.id, number, now);
  });
  return { number, hash: block.hash };
}
