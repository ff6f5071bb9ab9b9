import type { Order } from '../parties/journal.ts';
import type { Came, PaymentRead } from './reading.ts';
import { currencyOf } from './reading.ts';
import { fineOf, shareOf } from './units.ts';

// Where a payment stands by the chain and the calls alone.

/** What its merchant asked for comes to: what is due and the fee, in the currency that pays it. */
export type Terms = { currency: string; due: bigint; fee: bigint };

export type Standing = {
  /** The payment may be in any of these. */
  statuses: readonly string[];
  /** Whether its merchant has ever to be told that it is completed. */
  isCompleted: boolean;
  /** What the merchant has of it; what of it is the customer's. */
  credit: bigint;
  overpaid: bigint;
};

/** The default of an integration: one percent. */
export const feeBasisPoints = 100n;
/** A moment of which it is not clear on which side of a deadline it is: clocks of gateways and chains differ. */
export const unsureMs = 70_000;
const lateWindowMs = 86_400_000;
const scaleOf = (currency: string): number => (currency === 'PI' ? 7 : 6);

/** The terms of an order. A price is paid by its quote, which the payment says. Null: it has none yet. */
export function termsOf(order: Order, quote: PaymentRead['quote']): Terms | null {
  const { asked } = order;
  const currency = asked.price === null ? asked.currency : quote?.currency;
  const amount = asked.price === null ? asked.amount : quote?.amount;
  if (currency === undefined || amount === undefined) return null;
  if (asked.feePayer === 'customer' && isDirectIn(order, currency))
    return grossTerms(currency, fineOf(amount));
  const fee = shareOf(fineOf(amount), feeBasisPoints, scaleOf(currency));
  return { currency, fee, due: fineOf(amount) + (asked.feePayer === 'customer' ? fee : 0n) };
}

/** Whether what is paid in a currency goes to its merchant's own address, unless it comes from a wallet. */
export const isDirectIn = ({ ownAsset }: Order, currency: string): boolean =>
  ownAsset !== null && currencyOf(ownAsset) === currency;

/** A splitter takes its part of all that arrives: so much is due that the merchant gets the whole amount. */
function grossTerms(currency: string, fine: bigint): Terms {
  const unit = 10n ** BigInt(18 - scaleOf(currency));
  const rest = (10_000n - feeBasisPoints) * unit;
  const due = ((fine * 10_000n + rest - 1n) / rest) * unit;
  return { currency, due, fee: due - fine };
}

const sum = (came: readonly Came[]): bigint => came.reduce((fine, each) => fine + each.fine, 0n);

/** What came for an order by the chain. Money of another currency does not count. */
export function cameFor({ places }: Order, currency: string, came: readonly Came[]): Came[] {
  const own = [...places.values()].map(({ address, memo }) => `${address.toLowerCase()} ${memo ?? ''}`);
  return came.filter(
    ({ to, memo, asset }) => own.includes(`${to} ${memo ?? ''}`) && currencyOf(asset) === currency,
  );
}

const nothing = { isCompleted: false, credit: 0n, overpaid: 0n };

/** What a live payment is judged by. `cutMs`: until then a transfer came in time. */
type LiveFacts = { came: readonly Came[]; deadlineMs: number; cutMs?: number; nowMs: number };

/** Where a live payment stands at a time, for what came by the chain. */
export function liveStanding(order: Order, terms: Terms, facts: LiveFacts): Standing {
  const { came, deadlineMs, cutMs = deadlineMs, nowMs } = facts;
  const { due, fee } = terms;
  const isDust = (fine: bigint): boolean => fine * 1_000n < due;
  const until = (ms: number): bigint => sum(came.filter(({ atMs }) => atMs <= ms));
  const all = sum(came);
  const paid = { isCompleted: true, credit: due - fee, overpaid: all - due };
  const completed = { ...paid, statuses: order.isDisputed ? ['in-appeal'] : ['completed'] };
  // Money of a wallet is there at once, and never more or less than is due.
  if (order.payer !== null) return { ...completed, overpaid: all };
  if (order.cancelled) return { ...nothing, statuses: isDust(all) ? ['cancelled'] : ['in-appeal'] };
  const inTime = until(cutMs);
  if (inTime >= due) return completed;
  const isOver = nowMs > deadlineMs + unsureMs;
  const isUnsure = !isOver && nowMs > deadlineMs - unsureMs;
  const open = isDust(all) ? ['unlinked', 'linked'] : ['pending'];
  const ended = isDust(inTime) ? ['cancelled'] : ['in-appeal'];
  if (isUnsure) return { ...nothing, statuses: [...open, ...ended] };
  if (!isOver) return { ...nothing, statuses: open };
  if (!isDust(inTime)) return { ...nothing, statuses: ended };
  const windowMs = deadlineMs + lateWindowMs;
  if (until(windowMs) >= due) return completed;
  // A part that came late waits until the late window ends.
  const isInAppeal = !isDust(all) && (nowMs > windowMs || until(windowMs) < all);
  return { ...nothing, statuses: isInAppeal ? ['in-appeal'] : ['cancelled'] };
}

/** Where simulated outcomes lead once all their times have passed. */
const ends: Readonly<Record<string, string>> = {
  ...{
    success: 'completed',
    overpaid: 'completed',
    split: 'completed',
    late: 'completed',
    slow: 'completed',
  },
  ...{ two_networks: 'completed', underpaid: 'in-appeal', failure: 'failed', expire: 'cancelled' },
  ...{ dispute: 'in-appeal', reorg: 'failed', wrong_token: 'cancelled' },
};
const completing = new Set(['success', 'overpaid', 'split', 'late', 'slow', 'two_networks', 'dispute']);
/** These are there when the call that plays them is answered. */
const atOnce = new Set(['success', 'overpaid', 'failure', 'expire', 'dispute']);

/** Where a test payment stands. `isOver`: its deadline, and half an hour more, have passed. */
export function testStanding(
  order: Order,
  terms: Terms | null,
  { received, isOver }: { received: bigint; isOver: boolean },
): Standing {
  const { outcome, cancelled, isDisputed } = order;
  // Money that came after its end is in appeal.
  if (cancelled) return { ...nothing, statuses: [outcome === null ? 'cancelled' : 'in-appeal'] };
  const end = outcome === null ? 'cancelled' : (ends[outcome] ?? 'completed');
  const isCompleted = outcome !== null && completing.has(outcome);
  const money =
    isCompleted && terms
      ? { credit: terms.due - terms.fee, overpaid: received - terms.due }
      : { credit: 0n, overpaid: 0n };
  const last = isDisputed ? 'in-appeal' : end;
  const isThere = isOver || (outcome !== null && atOnce.has(outcome));
  const statuses = isThere ? [last] : ['unlinked', 'linked', 'pending', 'cancelled', last];
  return { isCompleted, ...money, statuses };
}
