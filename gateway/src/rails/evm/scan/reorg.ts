import type { Logger } from 'pino';
import type { Database, Reader } from '../../../kit/db.ts';
import type { ChainConfig } from '../chains.ts';
import type { Endpoint } from '../endpoints.ts';
import type { SecondOpinion } from './agreement.ts';
import { type Block, headerCall, headerOf, requireHeader } from './block.ts';
import { checkpointsBelow, dropCheckpoints, noteCheckpoint } from './checkpoints.ts';
import { type Held, writeHeld } from './lease.ts';

/** How many blocks are asked for at once. */
const batchSize = 50;

/**
 * The last block that was noted and still stands on an endpoint's chain. Where none of them stands, the block at
 * which the scan began, as it is now. Throws RpcFault.
 */
export async function commonAncestor(
  reader: Reader,
  endpoint: Endpoint,
  chainId: number,
  from: bigint,
  start: bigint,
): Promise<Block> {
  for (let below = from + 1n; ; ) {
    const noted = await checkpointsBelow(reader, chainId, below, batchSize);
    if (noted.length === 0) break;
    const answers = await endpoint.batch(noted.map(({ number }) => headerCall(number)));
    // An endpoint that is only behind has lost nothing.
    requireHeader(answers[0], noted[0]!.number);
    const standing = noted.find(({ hash }, at) => headerOf(answers[at])?.hash === hash);
    if (standing) return standing;
    below = noted.at(-1)!.number;
  }
  const [answer] = await endpoint.batch([headerCall(start)]);
  const { number, hash } = requireHeader(answer, start);
  return { number, hash };
}

export type StepBack = {
  db: Database;
  chain: ChainConfig;
  /** The endpoint on whose chain the block under the seen cursor is another. */
  endpoint: Endpoint;
  second: SecondOpinion;
  log: Logger;
};

/**
 * Goes back to where the chain still is as it was noted: what was seen beyond has gone, and is read again. Answers
 * where the cursors stand then. Where final blocks are gone, too, a second endpoint must say the same.
 * Throws RpcFault or Disagreement.
 */
export async function stepBack(
  back: StepBack,
  held: Held,
  seen: Block,
  final: Block,
): Promise<{ seen: Block; final: Block }> {
  const { db, chain, endpoint } = back;
  const start = held.startNumber ?? final.number;
  const ancestor = await commonAncestor(db, endpoint, chain.id, seen.number, start);
  if (ancestor.number < final.number) return await undoFinal(back, held, ancestor, final, start);
  await writeHeld(db, held, async (tx) => {
    await tx.query(
      `UPDATE evm_transfers SET state = 'gone', confirmations = 0
       WHERE chain_id = $1 AND state = 'seen' AND block_number > $2`,
      [chain.id, ancestor.number],
    );
    await dropCheckpoints(tx, chain.id, ancestor.number);
    await tx.query('UPDATE evm_chains SET seen_number = $2, seen_hash = $3 WHERE chain_id = $1', [
      chain.id,
      ancestor.number,
      ancestor.hash,
    ]);
  });
  return { seen: ancestor, final };
}

/** Blocks that were final are others now: deeper than the setting allows, or another chain altogether. */
async function undoFinal(
  { db, chain, endpoint, second, log }: StepBack,
  held: Held,
  mine: Block,
  final: Block,
  start: bigint,
): Promise<{ seen: Block; final: Block }> {
  const { value: theirs, endpoint: other } = await second.ask(endpoint.name, (asked) =>
    commonAncestor(db, asked, chain.id, final.number, start),
  );
  if (theirs.number >= final.number) {
    throw second.disagree(endpoint.name, other, `block ${final.number}, which is final`);
  }
  const ancestor = mine.number < theirs.number ? mine : theirs;
  const blocks = await finalBlocksAbove(db, chain.id, ancestor.number);
  const orphans = await orphansAmong(blocks, endpoint);
  const alsoThere = await orphansAmong(blocks, other);
  if (orphans.length !== alsoThere.length) {
    throw second.disagree(endpoint.name, other, `blocks above ${ancestor.number}`);
  }
  const count = await writeHeld(db, held, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE evm_transfers SET state = 'gone', confirmations = 0
       WHERE chain_id = $1 AND block_number > $2 AND (state = 'seen' OR (state = 'final' AND block_hash = ANY ($3)))`,
      [chain.id, ancestor.number, orphans.map(({ hash }) => hash)],
    );
    await dropCheckpoints(tx, chain.id, ancestor.number);
    await noteCheckpoint(tx, chain.id, ancestor, endpoint.name);
    await tx.query(
      `UPDATE evm_chains SET seen_number = $2, seen_hash = $3, final_number = $2, final_hash = $3
       WHERE chain_id = $1`,
      [chain.id, ancestor.number, ancestor.hash],
    );
    return rowCount ?? 0;
  });
  log.error(
    { chain: chain.id, final: `${final.number}`, ancestor: `${ancestor.number}`, transfers: count },
    'blocks that were final have left the chain: what they brought is taken back',
  );
  return { seen: ancestor, final: ancestor };
}

async function finalBlocksAbove(reader: Reader, chainId: number, number: bigint): Promise<Block[]> {
  const { rows } = await reader.query<Block>(
    `SELECT DISTINCT block_number AS number, block_hash AS hash FROM evm_transfers
     WHERE chain_id = $1 AND block_number > $2 AND state = 'final' ORDER BY 1`,
    [chainId, number],
  );
  return rows;
}

/** Which blocks are others on the endpoint's chain. */
async function orphansAmong(blocks: Block[], endpoint: Endpoint): Promise<Block[]> {
  const orphans: Block[] = [];
  for (let at = 0; at < blocks.length; at += batchSize) {
    const part = blocks.slice(at, at + batchSize);
    const answers = await endpoint.batch(part.map(({ number }) => headerCall(number)));
    orphans.push(...part.filter(({ number, hash }, n) => requireHeader(answers[n], number).hash !== hash));
  }
  return orphans;
}
