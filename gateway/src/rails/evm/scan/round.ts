import type { Logger } from 'pino';
import { after, type Clock, earlierOf } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import type { Block } from '../rpc/block.ts';
import { type Endpoints, tolerableLagOf } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { type Agreement, Disagreement } from './blocks/agreement.ts';
import type { Held } from './blocks/held-chain.ts';
import { createLateLogs, LogsLate } from './blocks/late-logs.ts';
import { matchTransfers } from './blocks/match.ts';
import { createPace } from './blocks/pace.ts';
import { watchNewPlaces } from './blocks/places.ts';
import { createReadAhead } from './blocks/read-ahead.ts';
import { type Cursors, stepBack } from './blocks/reorg.ts';
import { createWatch } from './blocks/watch.ts';
import type { Search } from './blocks/window.ts';
import { confirmDue } from './final/confirm.ts';
import { type FinalPass, finalizeNext } from './final/final.ts';
import { recheckDue } from './final/recheck.ts';
import { createHeadWatch, type Head } from './head/head.ts';
import { createSeenComparison } from './seen/compare-seen.ts';
import { seeNext } from './seen/seen.ts';
import { beginScan } from './start.ts';

export type RoundDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  agreement: Agreement;
  now: Clock;
  log: Logger;
};

/** The result of a round. */
export type Outcome = {
  /** Null: no endpoint answered for it. */
  head: Head | null;
  seen: Block | null;
  final: Block | null;
  /** All transfers that came up to this time are noted; null: no more than before. */
  through: Date | null;
  /** Blocks that were read for the first time. */
  blocks: bigint;
  /** What kept it from doing more, in words. */
  faults: string[];
  /** Which endpoint was read last. */
  endpoint: string | null;
};

/** A chain whose lease is held, and its cursors. */
type Begun = { held: Held; cursors: Cursors };

/** A round ends after this long, so that what was found is reported and the process can stop. */
const roundMs = 4_000;

/**
 * Makes the rounds of a chain. Each learns the head, then moves two cursors by turns: the seen cursor (seen/seen.ts)
 * notes the transfers of one endpoint's reading, and the final cursor (final/final.ts) books what a second one
 * confirms. The scanner reports both.
 */
export function createRound(deps: RoundDeps): (held: Held) => Promise<Outcome> {
  const { db, chain, endpoints, agreement, now, log } = deps;
  const watch = createWatch(db, chain);
  const learnHead = createHeadWatch(deps);
  const pace = createPace();
  const lateLogs = createLateLogs({ reader: db, chain });
  const compareSeen = createSeenComparison(now);
  const throughAt = createReadThrough();

  return async (held) => {
    const { seen, final } = held;
    const outcome: Outcome = {
      ...{ head: null, seen, final, through: null },
      ...{ blocks: 0n, faults: [], endpoint: null },
    };
    const learned = await attempt(outcome, () => learnHead(held.trusted));
    if (!learned) return outcome;
    const { head, target, endpoint, fault } = learned;
    outcome.head = learned;
    outcome.endpoint = endpoint;
    if (fault) outcome.faults.push(fault);
    const begin = async (): Promise<Begun | null> => {
      if (seen && final) return { held, cursors: { seen, final } };
      const start = await beginScan({ db, endpoints, chain, learned, now: now() }, held);
      return (
        start && { held: { ...held, startNumber: start.number }, cursors: { seen: start, final: start } }
      );
    };
    const begun = await attempt(outcome, begin);
    if (!begun) return outcome;
    // Blocks up to the seen cursor were read without the new places.
    const places = await watchNewPlaces(db, held, chain, begun.cursors.seen.number);
    // After the head is known: see createWatch.
    const watched = await watch(places, now());
    const search: Search = {
      chain,
      watched,
      late: lateLogs({ head: head.number, watched, places, now: now() }),
      match: (transfers) => matchTransfers(db, chain, places, transfers),
    };
    const pass: FinalPass = { db, search, agreement, pace, head, target, now: now(), log };
    const cursors = await scan({ deps, pass, learned, outcome }, begun);
    const through = throughAt(learned, cursors.seen);
    const isComplete = through !== null && (learned.isLone || (await compareSeen(pass, begun.held, cursors)));
    return { ...outcome, ...cursors, through: isComplete ? through : null };
  };
}

/** A chain whose head has not changed for this long is idle: no block with an older time is still on its way. */
const idleSeconds = 120;

/**
 * Makes the function that returns up to which time a chain is read, for a cursor at its agreed head; null for any other
 * cursor. It is never later than the head's time, nor than the clock when the head was asked for: a transfer that is
 * noted later is in a block that is no older, and was not seen before (contract.md#states).
 */
function createReadThrough() {
  let unchanged: { hash: Hex; since: Date } | null = null;
  return ({ agreed, head, askedAt }: Head, seen: Block): Date | null => {
    if (unchanged?.hash !== head.hash) unchanged = { hash: head.hash, since: askedAt };
    if (!agreed || head.hash !== seen.hash) return null;
    // The next block may have the same time.
    const byBlock = earlierOf(new Date(head.at.getTime() - 1), askedAt);
    const byAsking = after(askedAt, -idleSeconds);
    return unchanged.since <= byAsking && byAsking > byBlock ? byAsking : byBlock;
  };
}

/** Does a step of a round; null after a fault of endpoints, which is noted in the outcome. */
async function attempt<T>(outcome: Outcome, step: () => Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
    if (error instanceof LogsLate) return null;
    if (!outcome.faults.includes(error.message)) outcome.faults.push(error.message);
    return null;
  }
}

/** Moves both cursors as far as they go, by turns: while many blocks are read, they are final soon after they were seen. */
async function scan(
  { deps, pass, learned, outcome }: { deps: RoundDeps; pass: FinalPass; learned: Head; outcome: Outcome },
  { held, cursors: from }: Begun,
): Promise<Cursors> {
  const { db, chain, endpoints } = deps;
  const { search, pace, head, now } = pass;
  const read = createReadAhead({ endpoints, search, pace, head });
  const back = (upTo?: bigint) => stepBack(deps, held, cursors, upTo);
  let cursors = from;
  // A cursor that is ahead of the endpoints by no more than they may lag waits until the chain reaches it. Only a single
  // endpoint can have moved a cursor further ahead.
  if (learned.agreed && cursors.seen.number > head.number + BigInt(tolerableLagOf(chain))) {
    cursors = (await attempt(outcome, () => back(head.number))) ?? cursors;
  }

  /** Returns whether there is more to see. */
  async function see(): Promise<boolean> {
    const step = await attempt(outcome, () => seeNext({ db, chain, read, head, now }, held, cursors.seen));
    if (!step) return false;
    outcome.endpoint = step.endpoint ?? outcome.endpoint;
    if (step.seen !== 'moved') {
      outcome.blocks += step.seen.number - cursors.seen.number;
      cursors = { ...cursors, seen: step.seen };
      return true;
    }
    const stepped = await attempt(outcome, back);
    const hasMoved = stepped !== null && stepped.seen.number !== cursors.seen.number;
    cursors = stepped ?? cursors;
    return hasMoved;
  }
  /** Returns whether there is more to finalize. */
  async function finalize(): Promise<boolean> {
    const final = await attempt(outcome, () => finalizeNext(pass, held, cursors));
    if (final) cursors = { ...cursors, final };
    return final !== null;
  }

  let isSeeing = true;
  let isFinalizing = true;
  const until = performance.now() + roundMs;
  while ((isSeeing || isFinalizing) && performance.now() < until) {
    if (isSeeing) isSeeing = await see();
    if (isSeeing || isFinalizing) isFinalizing = await finalize();
  }
  await attempt(outcome, () => recheckDue(pass, held, cursors));
  await attempt(outcome, () => confirmDue(pass, learned, held, cursors));
  return cursors;
}
