import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db.ts';
import type { ChainConfig } from '../chains.ts';
import type { Endpoints } from '../endpoints.ts';
import { RpcFault } from '../rpc-fault.ts';
import { type Agreement, Disagreement } from './agreement.ts';
import type { Block } from './block.ts';
import { type FinalPass, finalizeNext } from './final.ts';
import { type Head, learnHead } from './head.ts';
import type { Held } from './lease.ts';
import { matchTransfers } from './match.ts';
import { recheckDue } from './recheck.ts';
import { type Cursors, stepBack } from './reorg.ts';
import { seeNext } from './seen.ts';
import { beginScan } from './start.ts';
import { createWatch } from './watch.ts';
import type { Search } from './window.ts';

export type RoundDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  agreement: Agreement;
  now: Clock;
  log: Logger;
};

/** What a round came to. */
export type Outcome = {
  /** Null: no endpoint told of it. */
  head: Head | null;
  seen: Block | null;
  final: Block | null;
  /** Blocks that were read for the first time. */
  blocks: bigint;
  /** Why it could not do more, in words. */
  faults: string[];
  /** Which endpoint was read last. */
  endpoint: string | null;
};

/** After this long a round ends where it is, so that payments hear of what was found and the process can stop. */
const roundMs = 4_000;

/** Makes the rounds of a chain: each reads up to the head, what was seen first and what is final behind it. */
export function createRound(deps: RoundDeps): (held: Held) => Promise<Outcome> {
  const { db, chain, endpoints, agreement, now, log } = deps;
  const watch = createWatch(db);

  return async (held) => {
    const outcome: Outcome = {
      head: null,
      seen: held.seen,
      final: held.final,
      blocks: 0n,
      faults: [],
      endpoint: null,
    };
    /** Does a step; null after a fault of the endpoints, which ends its pass for this round. */
    async function attempt<T>(step: () => Promise<T>): Promise<T | null> {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
        if (!outcome.faults.includes(error.message)) outcome.faults.push(error.message);
        return null;
      }
    }
    outcome.head = await attempt(() => learnHead(endpoints, chain));
    if (!outcome.head) return outcome;
    const { head, target } = outcome.head;
    outcome.endpoint = outcome.head.endpoint;
    const search: Search = {
      chain,
      watched: await watch(held.treasuries, now()),
      match: (transfers) => matchTransfers(db, chain, held.treasuries, transfers),
    };
    let begun = held;
    if (!outcome.seen || !outcome.final) {
      const started = await attempt(() => beginScan({ db, endpoints, chain, target, head }, held));
      if (!started) return outcome;
      begun = { ...held, startNumber: started.number };
      outcome.seen = started;
      outcome.final = started;
    }
    let cursors: Cursors = { seen: outcome.seen, final: outcome.final };
    const pass: FinalPass = { db, search, agreement, head, target, now: now(), log };

    /** Answers whether there is more to see. */
    async function see(): Promise<boolean> {
      const used = await attempt(() =>
        endpoints.use((endpoint) => seeNext({ db, search, endpoint, head, now: now() }, begun, cursors.seen)),
      );
      if (!used?.value) return false;
      outcome.endpoint = used.endpoint.name;
      if (used.value !== 'moved') {
        outcome.blocks += used.value.number - cursors.seen.number;
        cursors = { ...cursors, seen: used.value };
        return true;
      }
      const back = await attempt(() => stepBack({ db, chain, endpoints, agreement, log }, begun, cursors));
      const hasMoved = back !== null && back.seen.number !== cursors.seen.number;
      cursors = back ?? cursors;
      return hasMoved;
    }
    /** Answers whether there is more to finalize. */
    async function finalize(): Promise<boolean> {
      const final = await attempt(() => finalizeNext(pass, begun, cursors));
      if (final) cursors = { ...cursors, final };
      return final !== null;
    }

    let isSeeing = true;
    let isFinalizing = true;
    const until = performance.now() + roundMs;
    while ((isSeeing || isFinalizing) && performance.now() < until) {
      if (isSeeing) isSeeing = await see();
      // What was seen meanwhile may be final, too.
      if (isSeeing || isFinalizing) isFinalizing = await finalize();
    }
    await attempt(() => recheckDue(pass, begun, cursors));
    return { ...outcome, ...cursors };
  };
}
