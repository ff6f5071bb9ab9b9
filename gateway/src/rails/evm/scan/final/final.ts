import type { Logger } from 'pino';
import type { Database } from '../../../../kit/db/db.ts';
import { type Block, type Header, headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint } from '../../rpc/endpoints.ts';
import type { Agreement, Answer } from '../blocks/agreement.ts';
import { type Checkpoint, checkpointsAbove, noteCheckpoint, thinCheckpoints } from '../blocks/checkpoints.ts';
import { type Held, writeHeld } from '../blocks/held-chain.ts';
import { LogsLate } from '../blocks/late-logs.ts';
import { keyOf, sameTransfers } from '../blocks/match.ts';
import type { Pace } from '../blocks/pace.ts';
import type { Cursors } from '../blocks/reorg.ts';
import { markGone, type NotedTransfer, notedBetween, noteSeen, withBlockTimes } from '../blocks/transfers.ts';
import { changeUnconfirmed, newUnconfirmed, withNext } from '../blocks/unconfirmed.ts';
import { watchAlso } from '../blocks/watch.ts';
import {
  finalityCall,
  finalNumber,
  proveWindow,
  type Reading,
  type Search,
  type Window,
} from '../blocks/window.ts';
import { type Backing, checkBacking } from './backing.ts';
import { bookTransfers } from './booking.ts';

export type FinalPass = {
  db: Database;
  search: Search;
  agreement: Agreement;
  pace: Pace;
  head: Block;
  /** The last block that is final for the endpoint that named the head. */
  target: bigint;
  now: Date;
  log: Logger;
};

/** Checkpoints that one window may span. */
const checkpointsAtMost = 200;

/** The second reading of a window. */
type Second = { window: Window; anchor: Block; reading: Reading | 'waits' };

/**
 * Reads the next window after the final cursor from another endpoint than the first reading, compares the two, books
 * what they agree on and moves the cursor. Returns the new cursor, or null when nothing more is final for now. Throws
 * RpcFault or Disagreement.
 */
export async function finalizeNext(
  pass: FinalPass,
  held: Held,
  { seen, final }: Cursors,
): Promise<Block | null> {
  const { db, agreement, target } = pass;
  const end = target < seen.number ? target : seen.number;
  if (final.number >= end) return null;
  const { run, last } = await sameSource(db, held.chainId, final.number);
  const noted = await notedBetween(db, held.chainId, final.number, last.number);
  const search = watchAlso(pass.search, noted);
  const ask = async (endpoint: Endpoint): Promise<Second> => {
    const span = final.number + pass.pace.blocks(endpoint);
    const upTo = async (to: bigint): Promise<Second> => {
      const anchor = run.find(({ number }) => number >= to) ?? last;
      const window = { after: final, to };
      try {
        return { window, anchor, reading: await proveWindow(endpoint, search, window, anchor) };
      } catch (error) {
        if (!(error instanceof LogsLate) || error.block - 1n <= final.number) throw error;
        return await upTo(error.block - 1n);
      }
    };
    const furthest = [end, last.number, span].reduce((least, each) => (each < least ? each : least));
    const to = search.late.cut(final.number, furthest);
    const second = await upTo(to);
    if (second.reading !== 'waits') return second;
    // The endpoint that named the final block may be ahead of this one, or wrong.
    const [finality] = await endpoint.batch([finalityCall(search.chain)]);
    const own = finalNumber(search.chain, finality);
    return own > final.number && own < to ? await upTo(own) : second;
  };
  const answer = await agreement.askAnother([last.endpoint], ask);
  const { window, anchor, reading } = answer.value;
  if (reading === 'waits') return null;
  if (reading === 'moved') {
    await requireReorg(agreement, answer, anchor);
    return null;
  }
  const inWindow = withBlockTimes(
    noted.filter(({ blockNumber }) => blockNumber <= window.to),
    reading.ours,
  );
  if (sameTransfers(inWindow, reading.ours)) {
    const isLone = answer.endpoint.name === last.endpoint && search.chain.rpcUrls.length > 1;
    const booking = {
      first: last.endpoint,
      after: final.number,
      isLone,
      end: reading.end,
      noted: inWindow,
      seen,
    };
    return await book(pass, held, booking);
  }
  const isCorrected = await correct({ ...pass, search }, held, answer, inWindow);
  return isCorrected ? final : null;
}

/** The checkpoints above the final cursor that one endpoint answered for: no endpoint gives both readings. */
async function sameSource(
  db: Database,
  chainId: number,
  final: bigint,
): Promise<{ run: Checkpoint[]; last: Checkpoint }> {
  const above = await checkpointsAbove(db, chainId, final, checkpointsAtMost);
  const other = above.findIndex(({ endpoint }) => endpoint !== above[0]?.endpoint);
  const run = other < 0 ? above : above.slice(0, other);
  const last = run.at(-1);
  if (!last) throw new Error(`Chain ${chainId}: no checkpoint between its cursors`);
  return { run, last };
}

/**
 * Where two endpoints have another block there, a reorg has just happened, and the seen cursor will find it. Else one
 * endpoint is on a fork of its own: throws Disagreement.
 */
async function requireReorg(
  agreement: Agreement,
  { endpoint }: Answer<Second>,
  anchor: Block,
): Promise<void> {
  const ask = async (another: Endpoint) => {
    const [answer] = await another.batch([headerCall(anchor.number)]);
    return requireHeader(answer, anchor.number).hash;
  };
  await agreement.agree({
    about: `block ${anchor.number}`,
    ask,
    same: (one, other) => one === other,
    answers: [{ value: await ask(endpoint), endpoint }],
  });
}

/** Notes what two endpoints agree on in place of the first reading. Returns whether that is complete. */
async function correct(
  pass: FinalPass,
  held: Held,
  answer: Answer<Second>,
  noted: readonly NotedTransfer[],
): Promise<boolean> {
  const { db, search, agreement, head, now, log } = pass;
  const { window, anchor, reading } = answer.value;
  const about = `the transfers of blocks ${window.after.number + 1n} to ${window.to}`;
  const agreed = await agreement.agree<Reading | 'waits'>({
    about,
    ask: (endpoint) => proveWindow(endpoint, search, window, anchor),
    same: (one, other) =>
      typeof one === 'string' || typeof other === 'string'
        ? one === other
        : sameTransfers(one.ours, other.ours),
    answers: [{ value: reading, endpoint: answer.endpoint }],
  });
  if (typeof agreed === 'string') return false;
  const { ours } = agreed;
  const right = new Map(ours.map((each) => [keyOf(each), each]));
  const wrong = noted.filter((each) => {
    const twin = right.get(keyOf(each));
    return !twin || !sameTransfers([each], [twin]);
  });
  const known = new Set(noted.map(keyOf));
  const missing = ours.filter((each) => !known.has(keyOf(each)));
  const added = await writeHeld(db, held, async (tx) => {
    const count = await noteSeen(tx, search.chain, missing, { head: head.number, now });
    await markGone(tx, held.chainId, wrong);
    return count;
  });
  if (added + wrong.length > 0) {
    const fields = { chain: held.chainId, noted: noted.length, agreed: ours.length };
    log.warn(fields, `${about} were read wrong, and are corrected`);
  }
  // A transfer with another content is noted again after it was reported as gone: until then nothing changes.
  return added === missing.length && !wrong.some((each) => right.has(keyOf(each)));
}

/** How the backing of this pass's transfers is checked. */
export function backingOf({ db, search, agreement, now }: FinalPass): Backing {
  return { reader: db, chainId: search.chain.id, agreement, now };
}

type Booking = {
  first: string;
  /** Whether that endpoint gave both readings, because no other one answered. */
  isLone: boolean;
  after: bigint;
  end: Header;
  noted: NotedTransfer[];
  seen: Block;
};

async function book(pass: FinalPass, held: Held, booking: Booking): Promise<Block> {
  const { db } = pass;
  const { first, isLone, after: begin, end, noted, seen } = booking;
  const waiting = noted.filter(({ state }) => state === 'seen');
  const verdicts = await checkBacking(backingOf(pass), waiting, { final: end, seen });
  await writeHeld(db, held, async (tx) => {
    await bookTransfers(tx, pass, verdicts);
    if (isLone) {
      const window = newUnconfirmed({ after: begin, to: end.number, endpoint: first }, pass.now);
      await changeUnconfirmed(tx, held.chainId, (kept) => withNext(kept, window));
    }
    await noteCheckpoint(tx, held.chainId, end, first);
    await thinCheckpoints(tx, held.chainId, end.number);
    await tx.query(
      `UPDATE evm_chains SET final_number = $2, final_hash = $3,
         read_through = greatest(read_through, least($4::timestamptz - interval '1 millisecond', $5))
       WHERE chain_id = $1`,
      [held.chainId, end.number, end.hash, end.at, pass.now],
    );
  });
  return end;
}
