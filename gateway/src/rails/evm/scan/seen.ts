import type { Database } from '../../../kit/db.ts';
import type { Endpoint } from '../endpoints.ts';
import type { Block } from './block.ts';
import { noteCheckpoint } from './checkpoints.ts';
import { type Held, writeHeld } from './lease.ts';
import { noteSeen } from './transfers.ts';
import { type Reading, readWindow, type Search } from './window.ts';

export type SeenPass = {
  db: Database;
  search: Search;
  endpoint: Endpoint;
  /** The chain's last block. */
  head: Block;
  now: Date;
};

/**
 * Reads the next window behind the seen cursor from one endpoint, notes what it finds and moves the cursor to its
 * end. It is a preview: nothing is booked by it. Answers the new cursor, `moved` when a reorg took the block under
 * the old one away, or null at the head. Throws RpcFault.
 */
export async function seeNext(pass: SeenPass, held: Held, seen: Block): Promise<Block | 'moved' | null> {
  const { db, search, endpoint, head, now } = pass;
  if (head.number < seen.number) return null;
  if (head.number === seen.number) return head.hash === seen.hash ? null : 'moved';
  const to = min(head.number, seen.number + BigInt(endpoint.span()));
  const reading: Reading = await readWindow(endpoint, search, { after: seen, to });
  if (reading === 'moved') return 'moved';
  const { ours, end } = reading;
  await writeHeld(db, held, async (tx) => {
    await noteSeen(tx, search.chain, ours, head.number, now);
    await noteCheckpoint(tx, held.chainId, end, endpoint.name);
    await tx.query('UPDATE evm_chains SET seen_number = $2, seen_hash = $3 WHERE chain_id = $1', [
      held.chainId,
      end.number,
      end.hash,
    ]);
  });
  return end;
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);
