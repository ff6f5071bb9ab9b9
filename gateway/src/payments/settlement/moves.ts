import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { closeAppeal, openAppeal } from '../payment/appeal.ts';
import { eventPayment, type Payment } from '../payment/payment.ts';
import { type Move, type StateDeps, transitionOf } from '../payment/state.ts';
import { reachOf, waitOf } from './await-rails.ts';
import { type Changes, changed, openChanges } from './changes.ts';
import { decide, type Facts, isCovered, nextDue, unusualOf } from './decide.ts';
import { countingOf, dueUnits, fineUnits } from './received.ts';
import { isSettled, settle } from './settle.ts';
import type { TransferRow } from './transfer.ts';

/**
 * Moves a payment and notes its event, and its appeal where one begins or ends; nothing else changes a status. Returns
 * the payment as it then is. Throws for a move the table does not have.
 */
export async function makeMove(changes: Changes, id: string, { to, reason }: Move): Promise<Payment> {
  const { tx, deps } = changes;
  const now = deps.now();
  const payment = changes.payment(id);
  const transition = transitionOf(payment.status, to, reason);
  if (!transition) throw new Error(`No move from ${payment.status} to ${to} (${reason})`);
  const moved: Payment = {
    ...payment,
    status: to,
    reason,
    updatedAt: now,
    version: payment.version + 1,
    eventSequence: payment.eventSequence + 1,
    completedAt: payment.completedAt ?? (to === 'completed' ? now : null),
    lateUntil: reason === 'abandoned' ? lateUntilOf(payment) : payment.lateUntil,
  };
  const wasCompleted = transition.event === 'payment_completed' && payment.completedAt !== null;
  changes.changePayment(moved);
  changes.noteMove(
    { payment: moved, from: payment.status, to, reason, at: now },
    {
      integrationId: moved.integrationId,
      mode: moved.mode,
      type: wasCompleted ? 'payment_appeal_closed' : transition.event,
      sequence: moved.eventSequence,
      at: now,
      payment: eventPayment(moved),
    },
  );
  if (to === 'in-appeal') await changes.aside(id, () => openAppeal(tx, moved, payment.status, now));
  else if (payment.status === 'in-appeal') await changes.aside(id, () => closeAppeal(tx, moved, now));
  return changes.payment(id);
}

/** Until when late money completes an abandoned payment; never where its link is free for another one from then on. */
function lateUntilOf({ oneUse, deadline, lateWindowSeconds }: Payment): Date | null {
  return oneUse ? null : after(deadline, lateWindowSeconds);
}

/** Moves one payment, and writes it at once. Throws as `makeMove` does. */
export async function movePayment(
  tx: Tx,
  deps: StateDeps,
  { id }: Pick<Payment, 'id'>,
  move: Move,
): Promise<Payment> {
  return await changed(tx, deps, id, (changes) => makeMove(changes, id, move));
}

/**
 * Moves payments to the statuses that the facts call for at this moment, or at the earlier one up to which the rails
 * that they await were read; settles those that are paid, and notes when to look again.
 */
export async function bringAllUpToDate(
  tx: Tx,
  deps: StateDeps,
  payments: readonly Payment[],
  at: Date = deps.now(),
): Promise<Payment[]> {
  const changes = await openChanges(tx, deps, payments);
  for (const { id } of payments) await judge(changes, id, at);
  await changes.flush();
  return payments.map(({ id }) => changes.payment(id));
}

/** The same for one. */
export async function bringUpToDate(tx: Tx, deps: StateDeps, payment: Payment, at?: Date): Promise<Payment> {
  const [current = payment] = await bringAllUpToDate(tx, deps, [payment], at);
  return current;
}

/** The same for one that is open for changes. */
export async function judge(changes: Changes, id: string, at: Date = changes.deps.now()): Promise<void> {
  const { tx, deps } = changes;
  const factsNow = (): Facts => factsOf(deps.assets, changes.payment(id), changes.transfersOf(id));
  let facts = factsNow();
  const reach = await reachOf(tx, deps, changes.payment(id), facts, at);
  for (;;) {
    const move = decide(facts, reach.through);
    if (!move) break;
    const { status } = await makeMove(changes, id, move);
    if (status === 'completed') await settle(changes, id);
    facts = factsNow();
  }
  const current = changes.payment(id);
  // What had left its chain came back: while a dispute is open the money is where it was.
  if (current.reason === 'disputed' && isCovered(facts) && !isSettled(current)) await settle(changes, id);
  const next = nextDue(facts, reach.through);
  const wait = waitOf(current, next, reach, at, deps.now());
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

/** Counts a change that the hosted page shows, and notifies the open pages; `rails` are awaited from now on. */
export function touch(changes: Changes, id: string, rails: readonly string[] = []): void {
  const payment = changes.payment(id);
  const awaitedRails = [...new Set([...payment.awaitedRails, ...rails])];
  changes.changePayment({ ...payment, awaitedRails, version: payment.version + 1 });
}

function factsOf(assets: Assets, payment: Payment, transfers: TransferRow[]): Facts {
  return {
    status: payment.status,
    reason: payment.reason,
    due: dueUnits(payment),
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
