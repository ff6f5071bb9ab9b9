import type { Logger } from 'pino';
import type { Database } from '../../../../kit/db/db.ts';
import type { ChainConfig } from '../../config/chains.ts';
import { type Block, headerCall, headerOf, requireHeader } from '../../rpc/block.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import type { Agreement } from './agreement.ts';
import { checkpointsBelow, dropCheckpoints, noteCheckpoint } from './checkpoints.ts';
import { type Held, writeHeld } from './held-chain.ts';
import { stepSecondReadingsBack } from './second-cursor.ts';

/** How many blocks are asked for at once. */
const batchSize = 50;

export type StepBack = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  agreement: Agreement;
  log: Logger;
};

export type Cursors = { seen: Block; final: Block };

/** The last noted block that an endpoint's chain still has, and the noted blocks with transfers that it has not. */
type Fork = { ancestor: Block; orphans: string[] };

/**
 * Moves the cursors back to the last noted block that is still on the chain, from where it is read again; transfers
 * of blocks that have left the chain are gone. Where final blocks have left it, two endpoints must say so. Returns
 * the new cursors. `upTo`: the last block of the chain, where the cursors are beyond it. Two endpoints must then
 * agree on the new cursors, and transfers that were booked beyond them stay booked. Throws RpcFault or Disagreement.
 */
export async function stepBack(
  deps: StepBack,
  held: Held,
  { seen, final }: Cursors,
  upTo: bigint = seen.number,
): Promise<Cursors> {
  const { db, chain, endpoints, agreement } = deps;
  const start = least(held.startNumber ?? final.number, upTo);
  const forkOn = async (endpoint: Endpoint): Promise<Fork> => {
    const ancestor = await commonAncestor(deps, endpoint, upTo, start);
    return { ancestor, orphans: await orphansAbove(deps, endpoint, ancestor.number, upTo) };
  };
  const first = await endpoints.use(forkOn);
  let fork = first.value;
  if (upTo < seen.number || isBelow(fork.ancestor, final)) {
    fork = await agreement.agree({
      ask: forkOn,
      same: (one, other) =>
        one.ancestor.hash === other.ancestor.hash && one.orphans.join() === other.orphans.join(),
      about:
        upTo < final.number
          ? `the last block before ${upTo} that is known`
          : `block ${final.number}, which was final`,
      answers: [first],
    });
  }
  const { ancestor } = fork;
  const cursors = { seen: ancestor, final: isBelow(ancestor, final) ? ancestor : final };
  const endpoint = first.endpoint.name;
  const gone = await writeCursors(db, held, cursors, { orphans: fork.orphans, upTo, endpoint });
  if (upTo < seen.number) {
    deps.log.error(
      { chain: chain.id, seen: `${seen.number}`, head: `${upTo}`, ancestor: `${ancestor.number}` },
      'the cursors were beyond the end of the chain: it is read again from its last known block',
    );
  }
  if (cursors.final !== final && final.number <= upTo) {
    deps.log.error(
      { chain: chain.id, final: `${final.number}`, ancestor: `${ancestor.number}`, transfers: gone },
      'final blocks have left the chain: their transfers are reversed',
    );
  }
  return cursors;
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Whether the final cursor must go back to the ancestor; at the block where the scan began only the hash can differ.
 */
const isBelow = (ancestor: Block, final: Block): boolean =>
  ancestor.number < final.number || (ancestor.number === final.number && ancestor.hash !== final.hash);

/**
 * The last noted block that is still on an endpoint's chain. Where there is none, the block at which the scan began,
 * with its present hash. Throws RpcFault.
 */
async function commonAncestor(
  { db, chain }: StepBack,
  endpoint: Endpoint,
  from: bigint,
  start: bigint,
): Promise<Block> {
  for (let below = from + 1n; ; ) {
    const noted = await checkpointsBelow(db, chain.id, below, batchSize);
    const [highest] = noted;
    const lowest = noted.at(-1);
    if (!highest || !lowest) break;
    const answers = await endpoint.batch(noted.map(({ number }) => headerCall(number)));
    // An endpoint that is only behind has lost no block.
    requireHeader(answers[0], highest.number);
    const kept = noted.find(({ hash }, at) => headerOf(answers[at])?.hash === hash);
    if (kept) return kept;
    below = lowest.number;
  }
  const [answer] = await endpoint.batch([headerCall(start)]);
  const { number, hash } = requireHeader(answer, start);
  return { number, hash };
}

/**
 * The hashes of noted blocks with transfers that are not on the endpoint's chain. Checkpoints are apart from each
 * other, so some blocks above the ancestor may still be on the chain; their transfers stay as they are, and none of
 * them is reported as gone.
 */
async function orphansAbove(
  { db, chain }: StepBack,
  endpoint: Endpoint,
  number: bigint,
  upTo: bigint,
): Promise<string[]> {
  const { rows } = await db.query<Block>(
    `SELECT DISTINCT block_number AS number, block_hash AS hash FROM evm_transfers
     WHERE chain_id = $1 AND block_number > $2 AND block_number <= $3 AND state <> 'gone' ORDER BY 1, 2`,
    [chain.id, number, upTo],
  );
  const orphans: string[] = [];
  for (let at = 0; at < rows.length; at += batchSize) {
    const part = rows.slice(at, at + batchSize);
    const answers = await endpoint.batch(part.map((block) => headerCall(block.number)));
    const lost = part.filter((block, n) => requireHeader(answers[n], block.number).hash !== block.hash);
    orphans.push(...lost.map(({ hash }) => hash));
  }
  return orphans;
}

/** Moves the cursors back. Returns how many transfers have gone. */
async function writeCursors(
  db: Database,
  held: Held,
  { seen, final }: Cursors,
  { orphans, upTo, endpoint }: { orphans: readonly string[]; upTo: bigint; endpoint: string },
): Promise<number> {
  return await writeHeld(db, held, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE evm_transfers SET state = 'gone', confirmations = 0
       WHERE chain_id = $1 AND block_number > $2
         AND ((state <> 'gone' AND block_hash = ANY ($3)) OR (state = 'seen' AND block_number > $4))`,
      [held.chainId, seen.number, orphans, upTo],
    );
    await dropCheckpoints(tx, held.chainId, seen.number);
    // Expected transfers of blocks that have left the chain will never be noted; all blocks are read again.
    await tx.query(
      "UPDATE evm_rechecks SET expects = '{}', transactions = '{}' WHERE chain_id = $1 AND block_number > $2",
      [held.chainId, seen.number],
    );
    await stepSecondReadingsBack(tx, held.chainId, final.number);
    await noteCheckpoint(tx, held.chainId, seen, endpoint);
    await tx.query(
      `UPDATE evm_chains SET seen_number = $2, seen_hash = $3, final_number = $4, final_hash = $5,
         read_through = NULL, read_head = NULL, read_head_at = NULL, start_number = least(start_number, $4)
       WHERE chain_id = $1`,
      [held.chainId, seen.number, seen.hash, final.number, final.hash],
    );
    return rowCount ?? 0;
  });
}
