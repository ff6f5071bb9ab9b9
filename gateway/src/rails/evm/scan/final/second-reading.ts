import type { Logger } from 'pino';
import { after, type Clock } from '../../../../kit/clock.ts';
import type { Database, Reader } from '../../../../kit/db/db.ts';
import type { ChainConfig } from '../../config/chains.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Answer } from '../blocks/agreement.ts';
import { checkpointsAbove } from '../blocks/checkpoints.ts';
import { type Held, writeHeld } from '../blocks/held-chain.ts';
import { isSameLog, keyOf, matchTransfers, type OurTransfer } from '../blocks/match.ts';
import { createPace, type Pace } from '../blocks/pace.ts';
import { planMissed } from '../blocks/recheck-plan.ts';
import { delaySeconds, moveSecondCursor, type SecondCursor, secondCursors } from '../blocks/second-cursor.ts';
import { lackingSince, notedBetween } from '../blocks/transfers.ts';
import { watchedAmong } from '../blocks/watch.ts';
import { readAllTransfers, type Search } from '../blocks/window.ts';

export type SecondReading = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  now: Clock;
  log: Logger;
};

/** How long it waits for another endpoint than those it should not ask. */
const patienceSeconds = 120;

/**
 * Makes the second readings of a chain: some minutes and about an hour after blocks were final, all transfers of the
 * listed tokens are read in large ranges and matched with every address ever given out. It books nothing: a block with
 * a transfer that is not noted, or is noted with another content, is read again by the common rule, by which two
 * endpoints must agree. The returned function reads one range of each round that is due, and returns why it could not,
 * or null.
 */
export function createSecondReading(deps: SecondReading): (held: Held) => Promise<string | null> {
  const { db, chain, now } = deps;
  const paces = { 1: createPace(), 2: createPace() };
  return async (held) => {
    const search: Matching = {
      chain,
      match: (transfers) => matchTransfers(db, chain, held.places, transfers),
    };
    const cursors = await secondCursors(db, chain.id);
    let fault: string | null = null;
    for (const cursor of cursors) {
      if (now() < after(cursor.targetAt, delaySeconds[cursor.round])) continue;
      // Each round asks another endpoint than those that answered for the same blocks before.
      const before = cursors.find(({ round }) => round < cursor.round)?.endpoint ?? null;
      try {
        await readRange(deps, held, { search, cursor, before, pace: paces[cursor.round] });
      } catch (error) {
        if (!(error instanceof RpcFault)) throw error;
        fault = error.message;
      }
    }
    return fault;
  };
}

type Matching = Pick<Search, 'chain' | 'match'>;
type Range = { search: Matching; cursor: SecondCursor; before: string | null; pace: Pace };
type Read = { ours: OurTransfer[]; to: bigint };

async function readRange(deps: SecondReading, held: Held, range: Range): Promise<void> {
  const { db, chain, now, log } = deps;
  const { cursor } = range;
  if (cursor.number === cursor.target) {
    // Nothing became final since: it gets the next target.
    const stays = { number: cursor.number, endpoint: null, missed: false, at: now() };
    await writeHeld(db, held, (tx) => moveSecondCursor(tx, chain.id, cursor, stays));
    return;
  }
  const { value, endpoint } = await readElsewhere(deps, range);
  const { ours, to } = value;
  const before = await notedBetween(db, chain.id, cursor.number, to);
  const noted = new Map(before.map((each) => [keyOf(each), each]));
  const misread = ours.filter((each) => {
    const twin = noted.get(keyOf(each));
    return twin && !isSameLog(twin, each);
  });
  const missed = ours.filter((each) => !noted.has(keyOf(each)));
  const watched = await watchedAmong(db, missed, now());
  // A lacking transfer was not left out: operators know that its token's log is false.
  const lacking = await lackingSince(db, chain.id, missed);
  const leftOut = missed.filter((each) => !lacking.has(keyOf(each)));
  await writeHeld(db, held, async (tx) => {
    const isAnyWrong = misread.length > 0 || leftOut.some(watched);
    const moved = { number: to, endpoint: endpoint.name, missed: isAnyWrong, at: now() };
    if (!(await moveSecondCursor(tx, chain.id, cursor, moved))) return;
    await planMissed(tx, chain.id, [...missed, ...misread], now());
  });
  for (const each of misread) {
    log.warn(fieldsOf(deps, each), 'endpoints had told a transfer wrong: its block is read again');
  }
  for (const each of leftOut) logLeftOut(deps, each, watched(each));
}

/** Asks an endpoint that has not answered for these blocks; any of them where none such answers for long. */
async function readElsewhere(
  { db, chain, endpoints, now }: SecondReading,
  range: Range,
): Promise<Answer<Read>> {
  const { search, cursor, before, pace } = range;
  const from = cursor.number + 1n;
  const work = async (endpoint: Endpoint): Promise<Read> => {
    const furthest = cursor.number + pace.blocks(endpoint);
    const to = furthest < cursor.target ? furthest : cursor.target;
    const { ours, transfers } = await readAllTransfers(endpoint, search, { from, to });
    pace.note(to - cursor.number, transfers);
    return { ours, to };
  };
  const first = await firstEndpoint(db, chain.id, from);
  const except = [first, before].filter((name) => name !== null);
  try {
    return await endpoints.use(work, { except });
  } catch (error) {
    const overdue = after(cursor.targetAt, delaySeconds[cursor.round] + patienceSeconds);
    if (!(error instanceof RpcFault) || now() < overdue) throw error;
    return await endpoints.use(work);
  }
}

/** The endpoint of the first reading of a block. */
async function firstEndpoint(reader: Reader, chainId: number, number: bigint): Promise<string | null> {
  const [checkpoint] = await checkpointsAbove(reader, chainId, number - 1n, 1);
  return checkpoint?.endpoint ?? null;
}

function fieldsOf({ chain }: SecondReading, transfer: OurTransfer): object {
  const { kind, transaction, token, address, units, blockNumber, ownerId } = transfer;
  const what = { kind, transaction, token, address, ownerId };
  return { chain: chain.id, block: `${blockNumber}`, units: `${units}`, ...what };
}

function logLeftOut(deps: SecondReading, transfer: OurTransfer, wasWatched: boolean): void {
  const { log } = deps;
  const fields = fieldsOf(deps, transfer);
  if (wasWatched) {
    log.warn(fields, 'an endpoint had left out a transfer: its block is read again');
  } else {
    log.info(fields, 'a transfer to an address that is no longer watched was found: its block is read again');
  }
}
