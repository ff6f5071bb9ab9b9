import type { Logger } from 'pino';
import { after } from '../../../kit/clock.ts';
import type { Database, Tx } from '../../../kit/db.ts';
import type { Endpoint } from '../endpoints.ts';
import type { SecondOpinion } from './agreement.ts';
import { unbacked } from './backing.ts';
import { type Block, headerCall, requireHeader } from './block.ts';
import { type Checkpoint, checkpointsAbove, noteCheckpoint, thinCheckpoints } from './checkpoints.ts';
import { type Held, writeHeld } from './lease.ts';
import type { OurTransfer } from './match.ts';
import { planRecheck } from './recheck-plan.ts';
import { keyOf, markAs, type NotedTransfer, notedBetween, noteSeen } from './transfers.ts';
import { proveWindow, type Reading, type Search, type Window } from './window.ts';

export type FinalPass = {
  db: Database;
  search: Search;
  second: SecondOpinion;
  head: Block;
  /** The last block that is final by the endpoint that told of the head. */
  target: bigint;
  now: Date;
  log: Logger;
};

/** Checkpoints that one window may span. */
const checkpointsAtMost = 200;
/** What a token's contract did not hold is looked at again: it may have been an endpoint that erred. */
const recheckSeconds = 3_600;

/**
 * Reads the next window behind the final cursor from another endpoint than the one that was asked first, compares
 * it with what was noted then, books what they agree on and moves the cursor. Answers the new cursor, or null when
 * nothing more is final or agreed on for now. Throws RpcFault or Disagreement.
 */
export async function finalizeNext(
  pass: FinalPass,
  held: Held,
  seen: Block,
  final: Block,
): Promise<Block | null> {
  const { db, search, second, target } = pass;
  const end = target < seen.number ? target : seen.number;
  if (final.number >= end) return null;
  const run = await sameSource(db, held.chainId, final.number);
  const first = run[0]!.endpoint;
  const last = run.at(-1)!.number;
  const prove = async (endpoint: Endpoint) => {
    const span = final.number + BigInt(endpoint.span());
    const to = [end, last, span].reduce((least, each) => (each < least ? each : least));
    const anchor = run.find(({ number }) => number >= to)!;
    const window = { after: final, to };
    return { window, anchor, reading: await proveWindow(endpoint, search, window, anchor) };
  };
  const { value, endpoint } = await second.ask(first, prove);
  const { window, anchor, reading } = value;
  if (reading === 'waits') return null;
  if (reading === 'moved') {
    await requireReorg(second, endpoint, anchor);
    return null;
  }
  const noted = await notedBetween(db, held.chainId, final.number, window.to);
  if (!sameTransfers(noted, reading.ours)) {
    const isSettled = await settleDifference(pass, held, { endpoint, window, anchor, reading, noted });
    return isSettled ? final : null;
  }
  return await book(pass, held, { first, window, end: reading.end, noted, seen });
}

/**
 * Where the block is another one everywhere, a reorg has just happened, and the seen cursor will meet it. Else two
 * endpoints are on two forks: throws Disagreement.
 */
async function requireReorg(second: SecondOpinion, endpoint: Endpoint, anchor: Block): Promise<void> {
  const { value, endpoint: asked } = await second.ask(endpoint.name, async (other) => {
    const [answer] = await other.batch([headerCall(anchor.number)]);
    return requireHeader(answer, anchor.number);
  });
  if (value.hash === anchor.hash) throw second.disagree(endpoint.name, asked, `block ${anchor.number}`);
}

/** The checkpoints above the final cursor for which one endpoint answered. */
async function sameSource(db: Database, chainId: number, final: bigint): Promise<Checkpoint[]> {
  const above = await checkpointsAbove(db, chainId, final, checkpointsAtMost);
  if (above.length === 0) throw new Error(`Chain ${chainId}: no checkpoint between its cursors`);
  const other = above.findIndex(({ endpoint }) => endpoint !== above[0]!.endpoint);
  return other < 0 ? above : above.slice(0, other);
}

/** Whether two endpoints tell the same of a window, down to the last unit. */
export function sameTransfers(one: readonly OurTransfer[], other: readonly OurTransfer[]): boolean {
  const contents = (transfers: readonly OurTransfer[]) =>
    transfers
      .map(
        (each) =>
          `${keyOf(each)} ${each.blockNumber} ${each.transaction} ${each.kind} ${each.token} ${each.address} ${each.units}`,
      )
      .sort()
      .join('\n');
  return contents(one) === contents(other);
}

type Difference = {
  endpoint: Endpoint;
  window: Window;
  anchor: Block;
  reading: Exclude<Reading, 'moved'>;
  noted: NotedTransfer[];
};

/** Asks once more, not the one who differs from what was noted: what two tell alike is what is noted from now on. */
async function settleDifference(pass: FinalPass, held: Held, difference: Difference): Promise<boolean> {
  const { db, search, second, head, now } = pass;
  const { endpoint, window, anchor, reading, noted } = difference;
  const { value: again, endpoint: asked } = await second.ask(endpoint.name, (other) =>
    proveWindow(other, search, window, anchor),
  );
  const range = `the transfers of blocks ${window.after.number + 1n} to ${window.to}`;
  if (again === 'waits') return false;
  if (again === 'moved' || !sameTransfers(again.ours, reading.ours)) {
    throw second.disagree(endpoint.name, asked, range);
  }
  const agreed = new Set(again.ours.map(keyOf));
  pass.log.warn({ chain: search.chain.id, noted: noted.length, agreed: agreed.size }, `corrected ${range}`);
  await writeHeld(db, held, async (tx) => {
    await noteSeen(tx, search.chain, again.ours, head.number, now);
    await markAs(
      tx,
      search.chain,
      'gone',
      noted.filter((each) => !agreed.has(keyOf(each))),
    );
  });
  return true;
}

type Booking = { first: string; window: Window; end: Block; noted: NotedTransfer[]; seen: Block };

async function book(pass: FinalPass, held: Held, booking: Booking): Promise<Block> {
  const { db, second } = pass;
  const { first, window, end, noted, seen } = booking;
  const waiting = noted.filter(({ state }) => state === 'seen');
  const missing = await unbacked(
    { reader: db, chainId: held.chainId, ask: (work) => second.ask(first, work) },
    waiting.filter(({ kind }) => kind === 'deposit'),
    { final: window.to, seen: seen.number },
  );
  await writeHeld(db, held, async (tx) => {
    await bookTransfers(tx, pass, waiting, missing);
    await noteCheckpoint(tx, held.chainId, end, first);
    await thinCheckpoints(tx, held.chainId, end.number);
    await tx.query('UPDATE evm_chains SET final_number = $2, final_hash = $3 WHERE chain_id = $1', [
      held.chainId,
      end.number,
      end.hash,
    ]);
  });
  return end;
}

/** Marks transfers as final, but for those whose money is not there. */
export async function bookTransfers(
  tx: Tx,
  { search: { chain }, now, log }: Pick<FinalPass, 'search' | 'now' | 'log'>,
  transfers: readonly OurTransfer[],
  missing: readonly OurTransfer[],
): Promise<void> {
  const without = new Set(missing.map(keyOf));
  await markAs(
    tx,
    chain,
    'final',
    transfers.filter((each) => !without.has(keyOf(each))),
  );
  await markAs(tx, chain, 'gone', missing);
  for (const { transaction, token, address, units, blockNumber, paymentId } of missing) {
    log.error(
      { chain: chain.id, transaction, token, address, units: `${units}`, paymentId },
      'a transfer is not credited: its token does not hold what its log says',
    );
    await planRecheck(tx, chain.id, blockNumber, after(now, recheckSeconds));
  }
}
