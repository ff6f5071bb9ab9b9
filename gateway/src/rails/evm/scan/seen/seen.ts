import type { Database } from '../../../../kit/db/db.ts';
import type { ChainConfig } from '../../config/chains.ts';
import type { Block } from '../../rpc/block.ts';
import type { Answer } from '../blocks/agreement.ts';
import { noteCheckpoint } from '../blocks/checkpoints.ts';
import { type Held, writeHeld } from '../blocks/held-chain.ts';
import { noteSeen } from '../blocks/transfers.ts';
import type { Reading } from '../blocks/window.ts';

export type SeenPass = {
  db: Database;
  chain: ChainConfig;
  /** Reads the window after a block. */
  read(after: Block): Promise<Answer<Reading>>;
  /** The chain's last block. */
  head: Block;
  now: Date;
};

/** The new seen cursor, or `moved`, and the endpoint that was read. */
export type SeenStep = { seen: Block | 'moved'; endpoint: string | null };

/**
 * Reads the next window after the seen cursor from one endpoint, notes its transfers as seen and moves the cursor to
 * its end. It is a preview: nothing is booked. `moved`: a reorg removed the block of the cursor. Null at the head.
 * Throws RpcFault.
 */
export async function seeNext(pass: SeenPass, held: Held, seen: Block): Promise<SeenStep | null> {
  const { db, chain, read, head, now } = pass;
  if (head.number < seen.number) return null;
  if (head.number === seen.number) return head.hash === seen.hash ? null : { seen: 'moved', endpoint: null };
  const { value: reading, endpoint } = await read(seen);
  if (reading === 'moved') return { seen: 'moved', endpoint: endpoint.name };
  const { ours, end } = reading;
  await writeHeld(db, held, async (tx) => {
    await noteSeen(tx, chain, ours, { head: head.number, now });
    await noteCheckpoint(tx, held.chainId, end, endpoint.name);
    await tx.query('UPDATE evm_chains SET seen_number = $2, seen_hash = $3 WHERE chain_id = $1', [
      held.chainId,
      end.number,
      end.hash,
    ]);
  });
  return { seen: end, endpoint: endpoint.name };
}
