import { after } from '../../kit/clock.ts';
import { type Assets, type Currency, currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import { isCharged, type Payment } from '../payment/payment.ts';
import { type Move, transitionOf } from '../payment/state.ts';
import { reachOf, waitOf } from './await-rails.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { decide, type Facts, isCovered, nextDue, unusualOf } from './decide.ts';
import { recordEvent } from './events.ts';
import { completingUnits, countingOf, dueUnits, fineUnits } from './received.ts';
import { isSettled, settle } from './settle.ts';
import type { TransferRow } from './transfer.ts';

/**
 * Moves a payment, with its event and with the appeal that begins or ends; nothing else changes a status. Throws for a move
 * that the table does not have.
 */
export function makeMove(changes: Changes, id: string, { to, reason, paid }: Move): void {
  const now = changes.deps.now();
  const payment = changes.payment(id);
  const from = payment.status;
  const transition = transitionOf(from, to, reason);
  if (!transition) throw new Error(`No move from ${from} to ${to} (${reason})`);
  changes.changePayment({
    ...payment,
    status: to,
    reason,
    updatedAt: now,
    completedAt: payment.completedAt ?? (to === 'completed' ? now : null),
    shortUnits: paid ?? payment.shortUnits,
    lateUntil: reason === 'abandoned' ? lateUntilOf(payment) : payment.lateUntil,
  });
  const wasCompleted = transition.event === 'payment_completed' && payment.completedAt !== null;
  recordEvent(changes, id, wasCompleted ? 'payment_appeal_closed' : transition.event);
  changes.noteMove({ payment: changes.payment(id), from, to, reason, at: now });
}

/**
 * Until when late money completes an abandoned payment; never where its link is free for another one from then on, nor
 * where the rate of its quote moves too much.
 */
export function lateUntilOf(payment: Payment): Date | null {
  const { oneUse, deadline, lateWindowSeconds, price, currency } = payment;
  const isSteady = price === null || (currency !== null && steady.has(currency));
  return oneUse || !isSteady ? null : after(deadline, lateWindowSeconds);
}

/** The currencies whose quotes pay a price within the late window too. */
const steady: ReadonlySet<Currency> = new Set(['USDC', 'USDT']);

/**
 * Makes the moves that the facts of a payment call for at this moment, or at the earlier one up to which the rails that it
 * awaits were read; settles it where it is paid, and notes when to look again.
 */
export async function bringUpToDate(
  changes: Changes,
  id: string,
  at: Date = changes.deps.now(),
): Promise<void> {
  const { deps } = changes;
  const factsNow = (): Facts => factsOf(deps.assets, changes.payment(id), changes.transfersOf(id));
  let facts = factsNow();
  const reach = await reachOf(changes, id, { facts, at });
  for (;;) {
    const move = decide(facts, reach.through);
    if (!move) break;
    makeMove(changes, id, move);
    if (move.to === 'completed') await settle(changes, id);
    facts = factsNow();
  }
  const current = changes.payment(id);
  // What had left its chain came back during a dispute: the shares are booked again, as they were before.
  if (current.reason === 'disputed' && isCovered(facts) && !isSettled(current)) await settle(changes, id);
  const next = nextDue(facts, reach.through);
  const wait = waitOf(next, reach, { at, now: deps.now() });
  noteDue(changes, id, facts, {
    dueAt: wait?.until ?? next,
    unreadRails: wait?.rails ?? null,
    unreadSince: wait?.since ?? null,
  });
}

type Due = Pick<Payment, 'dueAt' | 'unreadRails' | 'unreadSince'>;

/** Notes when to look again, and what is unusual. That a payment waits, or no longer does, is shown on its page. */
function noteDue(changes: Changes, id: string, facts: Facts, due: Due): void {
  const payment = changes.payment(id);
  const unusual = unusualOf(facts);
  const isWaiting = due.unreadSince !== null;
  const isShown = isWaiting !== (payment.unreadSince !== null);
  const isSame =
    !isShown &&
    payment.dueAt?.getTime() === due.dueAt?.getTime() &&
    payment.unreadSince?.getTime() === due.unreadSince?.getTime() &&
    payment.unreadRails?.join() === due.unreadRails?.join() &&
    payment.unusual.join() === unusual.join();
  if (isSame) return;
  changes.changePayment({
    ...payment,
    ...due,
    unusual,
    version: payment.version + (isShown ? 1 : 0),
  });
}

/** Raises the version of a payment, so that open pages read it again; `rails` are awaited from now on. */
export function raiseVersion(changes: Changes<ChangeDeps>, id: string, rails: readonly string[] = []): void {
  const payment = changes.payment(id);
  const awaitedRails = [...new Set([...payment.awaitedRails, ...rails])];
  changes.changePayment({ ...payment, awaitedRails, version: payment.version + 1 });
}

/** Nothing counts for an open payment, so that any amount is more than what came. */
const ofOpen = { due: 1n, tolerance: 0n, completing: 1n };

function amountsOf(payment: Payment): Pick<Facts, 'due' | 'tolerance' | 'completing'> {
  if (!isCharged(payment)) return ofOpen;
  return {
    due: dueUnits(payment),
    tolerance: rescale(payment.tolerance, currencyScale[payment.currency], fineScale),
    completing: completingUnits(payment),
  };
}

/** What decides a payment's status, of its row and its transfers. */
export function factsOf(assets: Assets, payment: Payment, transfers: TransferRow[]): Facts {
  return {
    status: payment.status,
    reason: payment.reason,
    ...amountsOf(payment),
    deadline: payment.deadline,
    lateUntil: payment.lateUntil,
    transfers: countingOf(assets, payment, transfers).map((transfer) => ({
      units: fineUnits(assets, transfer),
      state: transfer.state,
      seenAt: transfer.seen_at,
      goneAt: transfer.gone_at,
    })),
  };
}
