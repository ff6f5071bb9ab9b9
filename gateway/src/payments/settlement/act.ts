import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { type Assets, type Currency, isCurrency } from '../../money/assets.ts';
import { noteClaim } from '../payment/claims.ts';
import { paymentErrors } from '../payment/errors.ts';
import { isCharged, type Payment } from '../payment/payment.ts';
import { type Move, type StateDeps, transitionOf } from '../payment/state.ts';
import { railsShown } from './await-rails.ts';
import { type Changes, changePayments } from './changes.ts';
import { chooseCurrency } from './choose-currency.ts';
import { lockPayment } from './locks.ts';
import { bringUpToDate, makeMove, raiseVersion } from './moves.ts';

const disputeSeconds = 30 * 24 * 3600;

/** Until when the customer may dispute; null unless the payment is completed. */
export function disputableUntil(payment: Payment): Date | null {
  if (payment.status !== 'completed' || !payment.completedAt) return null;
  return new Date(payment.completedAt.getTime() + disputeSeconds * 1000);
}

/** Moves a payment because somebody asked for it; refuses by `row` where the table has no such move. */
async function moveAsAsked(
  changes: Changes,
  paymentId: string,
  move: Move,
  row = paymentErrors.not_possible,
): Promise<void> {
  const { status } = changes.payment(paymentId);
  if (!transitionOf(status, move.to, move.reason)) throw refuse(row, { status });
  makeMove(changes, paymentId, move);
  await bringUpToDate(changes, paymentId);
}

/** The customer or the merchant cancels; `not_cancellable` once money was seen or the payment has ended. */
export async function cancelPayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  by: 'customer' | 'merchant',
): Promise<Payment> {
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    const move: Move = { to: 'cancelled', reason: by };
    await moveAsAsked(changes, paymentId, move, paymentErrors.not_cancellable);
    return changes.payment(paymentId);
  });
}

/** What a customer chooses: an asset code, or `wallet`; of an open payment with the currency to pay in from the wallet. */
export type MethodChoice = { method: string; currency?: string | undefined };

/**
 * The customer chooses how to pay: an asset code of the payment's currency, or `wallet`. The first choice links the payment
 * and starts its deadline anew, unless a quote has done so; a later one only changes the method. Every network that was
 * chosen is awaited at the deadline. The choice for a priced payment also chooses its currency: throws `no_rate`. A test
 * payment gets its destination on a test network when that is chosen (contract.md#testnets), and a live one whose customer
 * chooses the currency all of them. Where live payments settle to own addresses alone, nothing else can be chosen.
 */
export async function linkPayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  choice: string | MethodChoice,
): Promise<Payment> {
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    await link(changes, paymentId, typeof choice === 'string' ? { method: choice } : choice);
    return changes.payment(paymentId);
  });
}

/** The same for a payment that is open for changes. */
export async function link(changes: Changes, paymentId: string, choice: MethodChoice): Promise<void> {
  const { tx, deps } = changes;
  const now = deps.now();
  const before = changes.payment(paymentId);
  const currency = currencyOf(deps.assets, before, choice);
  const method = currency && methodOf(deps.assets, before, currency, choice.method);
  if (!method || (before.status !== 'unlinked' && before.status !== 'linked')) {
    throw refuse(paymentErrors.not_possible, { status: before.status });
  }
  // A deadline that has passed does not begin anew: the payment ends instead, or waits until its rails were read.
  if (now < before.deadline) {
    if (currency !== before.currency) await chooseCurrency(changes, paymentId, currency);
    const payment = changes.payment(paymentId);
    const isOpened =
      !isOpenedByChoice(deps.assets, payment, method) ||
      (await deps.rail.openFor(tx, { kind: 'payment', id: paymentId }, method));
    const isBalance = !isOpened || (method === 'wallet' && before.method !== method);
    if (isBalance && payment.mode === 'live' && deps.isDirectRequired)
      throw refuse(paymentErrors.not_possible, { status: before.status });
    const shown = await railsShown(tx, deps, payment, method);
    const isFirst = payment.linkedAt === null;
    const isQuoted = before.price !== null && isCharged(before);
    changes.changePayment({
      ...{ ...payment, method },
      ...(isFirst && { linkedAt: now }),
      ...(isFirst && !isQuoted && { deadline: after(now, payment.deadlineSeconds) }),
    });
    raiseVersion(changes, paymentId, shown);
    if (payment.status === 'unlinked') makeMove(changes, paymentId, { to: 'linked', reason: null });
  }
  await bringUpToDate(changes, paymentId);
}

/** Whether a payment has no destination for what was chosen before the choice: other live payments are made with theirs. */
function isOpenedByChoice(assets: Assets, { mode, choices }: Payment, method: string): boolean {
  if (method === 'wallet') return false;
  return mode === 'live' ? choices !== null : assets.modeOf(method) === 'test';
}

/** The currency of a choice; null: the payment is not paid in it. */
function currencyOf(assets: Assets, payment: Payment, { method, currency }: MethodChoice): Currency | null {
  const ofWallet = payment.price && isCurrency(currency) ? currency : payment.currency;
  const chosen = method === 'wallet' ? ofWallet : assets.of(payment.mode).find(method)?.currency;
  if (!chosen) return null;
  return chosen === payment.currency || payment.choices?.includes(chosen) ? chosen : null;
}

/** The choice as it is stored: an asset's own code, or that of a bare currency's default; null if it is not offered. */
function methodOf(
  assets: Assets,
  { mode, assetCodes, method: chosen }: Payment,
  currency: Currency,
  choice: string,
): string | null {
  if (choice === 'wallet') return choice;
  const known = assets.of(mode);
  const asset = known.find(choice);
  if (asset?.currency !== currency) return null;
  const isOffered =
    known.offered(currency).some(({ code }) => code === asset.code) &&
    (assetCodes?.includes(asset.code) ?? true);
  return isOffered || asset.code === chosen ? asset.code : null;
}

/** A simulated failure of a test payment. */
export async function failPayment(changes: Changes, paymentId: string): Promise<void> {
  await moveAsAsked(changes, paymentId, { to: 'failed', reason: 'simulated' });
}

/** Moves a payment's deadline to just before `at`, so that money that comes at `at` is late. */
export async function expirePayment(
  changes: Changes,
  paymentId: string,
  at: Date = changes.deps.now(),
): Promise<void> {
  const payment = changes.payment(paymentId);
  const { status, deadline } = payment;
  if (!['unlinked', 'linked', 'pending'].includes(status))
    throw refuse(paymentErrors.not_possible, { status });
  const passed = after(at, -0.001);
  if (passed < deadline) changes.changePayment({ ...payment, deadline: passed });
  raiseVersion(changes, paymentId);
  await bringUpToDate(changes, paymentId, at);
}

/** The customer disputes a completed payment, within 30 days and with a reason. */
export async function disputePayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  reason: string,
): Promise<Payment> {
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    await dispute(changes, paymentId, reason);
    return changes.payment(paymentId);
  });
}

/** The same for a payment that is open for changes. */
export async function dispute(changes: Changes, paymentId: string, reason: string): Promise<void> {
  const { tx, deps } = changes;
  const now = deps.now();
  const payment = changes.payment(paymentId);
  const until = disputableUntil(payment);
  if (!until || now > until) throw refuse(paymentErrors.not_possible, { status: payment.status });
  await noteClaim(tx, paymentId, { at: now, kind: 'dispute', content: reason });
  await moveAsAsked(changes, paymentId, { to: 'in-appeal', reason: 'disputed' });
}

/** Notes the transaction with which a customer says to have paid, for rails and operators to look for. */
export async function claimPaid(tx: Tx, paymentId: string, transaction: string, now: Date): Promise<void> {
  const payment = await lockPayment(tx, paymentId);
  if (payment.status === 'completed') throw refuse(paymentErrors.not_possible, { status: payment.status });
  await noteClaim(tx, payment.id, { at: now, kind: 'paid', content: transaction });
}
