import { after } from '../../../../kit/clock.ts';
import { headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { type Answer, Disagreement } from '../blocks/agreement.ts';
import { type Held, writeHeld } from '../blocks/held-chain.ts';
import { logCalls, rawTransfers } from '../blocks/logs.ts';
import { contentOf, keyOf, type OurTransfer, sameTransfers } from '../blocks/match.ts';
import { planRecheck } from '../blocks/recheck-plan.ts';
import type { Cursors } from '../blocks/reorg.ts';
import { markGone, type NotedTransfer, notedBetween, withBlockTimes } from '../blocks/transfers.ts';
import { reachOf } from '../blocks/trust.ts';
import { changeUnconfirmed, readUnconfirmed, type Unconfirmed, upToBlock } from '../blocks/unconfirmed.ts';
import { watchAlso } from '../blocks/watch.ts';
import {
  finalityCall,
  finalNumber,
  findOurs,
  logsInReceipt,
  receiptCall,
  type Search,
} from '../blocks/window.ts';
import type { Head } from '../head/head.ts';
import type { FinalPass } from './final.ts';

/** Windows of one round. */
const windowsAtMost = 8;
const firstPauseSeconds = 10;
const longestPauseSeconds = 3_600;

/** What another endpoint answered for a window, and what is noted of it. */
type SecondLook = {
  next: Unconfirmed;
  /** The part of it that was read at once. */
  window: Unconfirmed;
  answer: Answer<OurTransfer[]>;
  noted: NotedTransfer[];
};

/** The result of a second look: transfers of `denied` are reversed, and transfers of `missed` were not noted. */
type Verdict = { isSettled: boolean; disputed: boolean; denied: NotedTransfer[]; missed: OurTransfer[] };

/**
 * Reads blocks that were booked because a single endpoint showed them again from another endpoint, once two of them
 * know the head. What the other one denies is reversed, since two never showed it; what only the other one shows is
 * booked when two agree on it. Throws RpcFault while no other endpoint answers.
 */
export async function confirmDue(
  pass: FinalPass,
  learned: Head,
  held: Held,
  cursors: Cursors,
): Promise<void> {
  const single = pass.search.chain.rpcUrls.length === 1;
  if (held.unconfirmed.length === 0 || !learned.agreed || (learned.isLone && !single)) return;
  await dropBeyond(pass, learned, held, cursors);
  for (let windows = 0; windows < windowsAtMost; windows += 1) {
    const next = await nextDue(pass, held, cursors);
    const look = next && (await lookAgain(pass, next, cursors));
    if (!look || (look.answer.endpoint.name === next.endpoint && !single)) return;
    await writeVerdict(pass, held, look, await verdictOf(pass, look));
  }
}

async function nextDue(pass: FinalPass, held: Held, cursors: Cursors): Promise<Unconfirmed | null> {
  const kept = await readUnconfirmed(pass.db, held.chainId);
  return kept.find(({ after, dueAt }) => dueAt <= pass.now && after < cursors.final.number) ?? null;
}

/** Reads the beginning of these blocks, up to the final cursor, from another endpoint. */
async function lookAgain(pass: FinalPass, next: Unconfirmed, cursors: Cursors): Promise<SecondLook> {
  const { db, search, agreement, pace } = pass;
  const last = next.to < cursors.final.number ? next.to : cursors.final.number;
  let window = next;
  const answer = await agreement.askAnother([next.endpoint], async (endpoint) => {
    const furthest = next.after + pace.blocks(endpoint);
    window = { ...next, to: furthest < last ? furthest : last };
    const noted = await notedBetween(db, search.chain.id, window.after, window.to);
    return await readAgain(endpoint, watchAlso(search, noted), window);
  });
  const noted = await notedBetween(db, search.chain.id, window.after, window.to);
  return { next, window, answer, noted: withBlockTimes(noted, answer.value) };
}

/** The transfers of ours in blocks that are final for an endpoint. */
async function readAgain(
  endpoint: Endpoint,
  search: Search,
  window: Pick<Unconfirmed, 'after' | 'to'>,
): Promise<OurTransfer[]> {
  const { chain, watched } = search;
  const { to } = window;
  const logs = logCalls(chain.tokens, watched, window.after + 1n, to);
  const answers = await endpoint.batch([...logs, finalityCall(chain), headerCall(to)]);
  const end = requireHeader(answers.at(-1), to);
  if (finalNumber(chain, answers.at(-2)) < to) {
    throw new RpcFault('refused', `does not count block ${to} as final yet`);
  }
  const transfers = rawTransfers(answers.slice(0, -2), chain.tokens);
  const reading = await findOurs(
    endpoint,
    search,
    { after: { number: window.after }, to },
    { transfers, end },
  );
  if (reading === 'moved') throw new RpcFault('refused', `changed its blocks up to ${to} between two calls`);
  return reading.ours;
}

async function verdictOf(pass: FinalPass, { window, answer, noted }: SecondLook): Promise<Verdict> {
  const { agreement, search } = pass;
  if (sameTransfers(noted, answer.value) && !window.disputed) {
    return { isSettled: true, disputed: false, denied: [], missed: [] };
  }
  const asked = new Set([answer.endpoint.name]);
  const wide = watchAlso(search, noted);
  const agreed = await agreement
    .agree({
      ask: (endpoint) => {
        asked.add(endpoint.name);
        return readAgain(endpoint, wide, window);
      },
      same: sameTransfers,
      about: `the transfers of blocks ${window.after + 1n} to ${window.to}`,
      answers: [answer],
    })
    .catch((error: unknown) => {
      if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
      return null;
    });
  const isTwo = asked.size > 1 || search.chain.rpcUrls.length === 1;
  const right = new Map((agreed ?? answer.value).map((each) => [keyOf(each), each]));
  const denied = noted.filter((each) => {
    const twin = right.get(keyOf(each));
    return !twin || !sameTransfers([each], [twin]);
  });
  if (agreed && isTwo) {
    const known = new Set(noted.map(keyOf));
    const missed = agreed.filter((each) => !known.has(keyOf(each)));
    // A transfer with another content is noted again after it was reported as gone.
    const isSettled = !denied.some((each) => right.has(keyOf(each)));
    return { isSettled, disputed: false, denied, missed };
  }
  const missing = await withoutReceipt(answer.endpoint, search, denied);
  return { isSettled: false, disputed: true, denied: missing, missed: [] };
}

/** Which of these the endpoint denies by its receipts too: its logs may come later than its blocks. */
async function withoutReceipt(
  endpoint: Endpoint,
  search: Search,
  denied: readonly NotedTransfer[],
): Promise<NotedTransfer[]> {
  const missing: NotedTransfer[] = [];
  for (const each of denied) {
    const [receipt] = await endpoint.batch([receiptCall(each.transaction)]);
    const ours = await search.match(rawTransfers(logsInReceipt(receipt), search.chain.tokens));
    if (!ours.some((one) => contentOf(one) === contentOf(each))) missing.push(each);
  }
  return missing;
}

/**
 * Drops unconfirmed blocks beyond the final cursor: two endpoints read them when the cursor gets there. Transfers of
 * blocks that the chain cannot have yet are reversed now, since no second endpoint can show them for long.
 */
async function dropBeyond(pass: FinalPass, learned: Head, held: Held, { final }: Cursors): Promise<void> {
  const furthest = held.unconfirmed.reduce((most, { to }) => (to > most ? to : most), 0n);
  if (furthest <= final.number) return;
  const reach = reachOf(learned.trusted, pass.search.chain, pass.now) ?? furthest;
  const noted = reach < furthest ? await notedBetween(pass.db, held.chainId, reach, furthest) : [];
  await writeHeld(pass.db, held, async (tx) => {
    await markGone(tx, held.chainId, noted);
    await changeUnconfirmed(tx, held.chainId, (kept) => upToBlock(kept, final.number));
  });
  logReversed(pass, noted, `the head, which is block ${learned.head.number}`);
}

/** Reverses what is denied, plans to read what was missed, and notes what is still to be confirmed. */
async function writeVerdict(pass: FinalPass, held: Held, look: SecondLook, verdict: Verdict): Promise<void> {
  const { next, window, answer } = look;
  const { isSettled, disputed, denied, missed } = verdict;
  const dueAt = after(pass.now, Math.min(firstPauseSeconds * 2 ** next.tries, longestPauseSeconds));
  const left: Unconfirmed[] = isSettled ? [] : [{ ...window, tries: next.tries + 1, dueAt, disputed }];
  if (window.to < next.to) left.push({ ...next, after: window.to });
  const isNext = (each: Unconfirmed) =>
    each.after === next.after && each.to === next.to && each.endpoint === next.endpoint;
  await writeHeld(pass.db, held, async (tx) => {
    await markGone(tx, held.chainId, denied);
    for (const { blockNumber } of missed) await planRecheck(tx, held.chainId, { blockNumber, due: pass.now });
    await changeUnconfirmed(tx, held.chainId, (kept) =>
      kept.flatMap((each) => (isNext(each) ? left : [each])),
    );
  });
  logReversed(pass, denied, answer.endpoint.name);
}

function logReversed({ log, search }: FinalPass, denied: readonly NotedTransfer[], by: string): void {
  for (const { transaction, token, address, units, ownerId } of denied) {
    log.error(
      { chain: search.chain.id, transaction, token, address, units: `${units}`, ownerId, by },
      'a transfer that a single endpoint showed is denied by another one: it is reversed',
    );
  }
}
