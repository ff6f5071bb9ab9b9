import { after } from '../../kit/clock.ts';
import { type PaymentStatus, type Reason, type Unusual, unusuals } from '../payment/payment.ts';
import type { Move } from '../payment/state.ts';

/** All that decides the status of a payment. Units are at the finest scale, so that assets add up. */
export type Facts = {
  status: PaymentStatus;
  reason: Reason | null;
  due: bigint;
  /** How much less than is due completes it, by its deadline. */
  tolerance: bigint;
  /** What completes it: what is due, or what it was completed with where that was less. */
  completing: bigint;
  deadline: Date;
  /** Of an abandoned one; null: no money that comes completes it. */
  lateUntil: Date | null;
  /** `seenAt` is when it came (contract.md#states). */
  transfers: { units: bigint; state: 'seen' | 'final' | 'gone'; seenAt: Date; goneAt: Date | null }[];
};

/** How long a payment waits for a transfer that left its chain. */
const reorgGraceSeconds = 30 * 60;

/**
 * The move that the facts call for at this moment, or null when its status is right already (contract.md#states).
 * It is called after everything that happens to a payment: a transfer seen, final or gone, or time passed. The facts must
 * have all transfers that chains took up to this moment; they may have later ones, which count as later.
 */
export function decide(facts: Facts, now: Date): Move | null {
  switch (facts.status) {
    case 'unlinked':
    case 'linked':
      if (isCoveredBy(facts, facts.deadline)) return { to: 'completed', reason: null };
      if (movesStatus(paid(facts, 'on chain', facts.deadline), facts.due))
        return { to: 'pending', reason: null };
      return now >= facts.deadline ? { to: 'cancelled', reason: 'abandoned' } : null;
    case 'pending':
      return decidePending(facts, now);
    case 'cancelled':
      return facts.reason === 'abandoned' && facts.lateUntil !== null
        ? decideAbandoned(facts, facts.lateUntil, now)
        : decideEnded(facts);
    case 'failed':
      return decideEnded(facts);
    case 'in-appeal':
      // A transfer that was mined again needs no decision; any other appeal waits for people.
      return facts.reason === 'reorg' && isCovered(facts)
        ? { to: 'completed', reason: 'covered_again' }
        : null;
    case 'completed':
      // A person moves a payment from here, or the reversal of one of its transfers.
      return null;
  }
}

/**
 * Whether that much of the amount due may move a payment. Less than a thousandth moves none: anybody can send dust to an
 * address, and would stop its customer from cancelling (contract.md#states).
 */
export function movesStatus(units: bigint, due: bigint): boolean {
  return units * 1000n >= due;
}

/** Whether what is final comes to what completes the payment. */
export function isCovered(facts: Facts): boolean {
  return paid(facts, 'final') >= facts.completing;
}

/**
 * Of a pending payment: whether no more than may be is missing of what came by `until`, and whether all of that is final
 * (contract.md#short-payments).
 */
export function shortfallOf(facts: Facts, until: Date): { isTolerated: boolean; isFinal: boolean } {
  const missing = facts.due - paid(facts, 'on chain', until);
  return {
    isTolerated: facts.status === 'pending' && missing > 0n && missing <= facts.tolerance,
    isFinal: !facts.transfers.some(({ state, seenAt }) => state === 'seen' && seenAt <= until),
  };
}

/** Whether the amount due is final, and as much came by `until`. Both are asked: money that came later may be final earlier. */
function isCoveredBy(facts: Facts, until: Date): boolean {
  return isCovered(facts) && paid(facts, 'on chain', until) >= facts.due;
}

/** The next moment at which `decide` may answer otherwise though nothing happens; null: there is none. */
export function nextDue(facts: Facts, now: Date): Date | null {
  const times: (Date | null)[] = [];
  if (facts.status === 'unlinked' || facts.status === 'linked') times.push(facts.deadline);
  if (facts.status === 'pending') times.push(facts.deadline, patience(facts));
  if (
    facts.status === 'cancelled' &&
    facts.reason === 'abandoned' &&
    movesStatus(paid(facts, 'on chain'), facts.due)
  ) {
    times.push(facts.lateUntil);
  }
  const ahead = times.filter((time): time is Date => time !== null && time > now);
  return ahead.reduce<Date | null>((next, time) => (next === null || time < next ? time : next), null);
}

/** What a person should look at, whatever the status: see `Unusual`. */
export function unusualOf(facts: Facts): Unusual[] {
  const received = paid(facts, 'on chain');
  const found: Record<Unusual, boolean> = {
    late:
      movesStatus(received, facts.due) &&
      facts.transfers.some(({ state, seenAt }) => state !== 'gone' && seenAt > facts.deadline),
    part_paid: movesStatus(received, facts.due) && received < facts.due,
    overpaid: received > facts.completing,
  };
  return unusuals.filter((each) => found[each]);
}

/** Units that arrived: those that are final, or all that are still on their chain, seen by `until`. */
function paid({ transfers }: Facts, kind: 'final' | 'on chain', until?: Date): bigint {
  let sum = 0n;
  for (const { units, state, seenAt } of transfers) {
    const counts = kind === 'final' ? state === 'final' : state !== 'gone';
    if (counts && (until === undefined || seenAt <= until)) sum += units;
  }
  return sum;
}

/**
 * Until when a pending payment may still be covered: its deadline, or later while a transfer that is gone may return.
 * A transfer that came after this end is not waited for: how late a rail is read must not decide what counts
 * (contract.md#states).
 */
function patience({ deadline, transfers }: Facts): Date {
  let until = deadline;
  const lost = transfers.filter(({ state }) => state === 'gone');
  for (const { seenAt, goneAt } of lost.sort((a, b) => a.seenAt.getTime() - b.seenAt.getTime())) {
    if (goneAt === null || seenAt > until) continue;
    const grace = after(goneAt, reorgGraceSeconds);
    if (grace > until) until = grace;
  }
  return until;
}

function decidePending(facts: Facts, now: Date): Move | null {
  const until = patience(facts);
  if (isCoveredBy(facts, until)) return { to: 'completed', reason: null };
  const came = paid(facts, 'on chain', until);
  if (now < until || came >= facts.due) return null;
  const { isTolerated, isFinal } = shortfallOf(facts, until);
  if (isTolerated) return isFinal ? { to: 'completed', reason: 'short', paid: came } : null;
  return movesStatus(came, facts.due)
    ? { to: 'in-appeal', reason: 'part_paid' }
    : { to: 'failed', reason: 'reorg' };
}

function decideAbandoned(facts: Facts, until: Date, now: Date): Move | null {
  if (paid(facts, 'final', until) >= facts.due) return { to: 'completed', reason: null };
  if (now < until || !movesStatus(paid(facts, 'on chain'), facts.due)) return null;
  // The full amount came in time and only waits for its confirmations.
  return paid(facts, 'on chain', until) >= facts.due ? null : { to: 'in-appeal', reason: 'late' };
}

function decideEnded(facts: Facts): Move | null {
  return movesStatus(paid(facts, 'final'), facts.due) ? { to: 'in-appeal', reason: 'paid_after_end' } : null;
}
