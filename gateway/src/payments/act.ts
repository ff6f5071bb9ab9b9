import type { Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { refuse } from '../kit/errors.ts';
import type { Assets } from '../money/assets.ts';
import { railsShown } from './await-rails.ts';
import { noteClaim } from './claims.ts';
import { paymentErrors } from './errors.ts';
import { lockPayment } from './locks.ts';
import { bringUpToDate, touch } from './observe.ts';
import type { Payment } from './payment.ts';
import { type PaymentRow, paymentOf } from './payment-row.ts';
import { chooseMethodSql } from './sql.ts';
import { type Move, moveLocked, type StateDeps, transitionOf } from './state.ts';

const disputeSeconds = 30 * 24 * 3600;

/** Until when the customer may dispute; null unless the payment is completed. */
export function disputableUntil(payment: Payment): Date | null {
  if (payment.status !== 'completed' || !payment.completedAt) return null;
  return new Date(payment.completedAt.getTime() + disputeSeconds * 1000);
}

/** Moves a payment because somebody asked for it; `not_possible` (or `row`) where the table has no such move. */
async function act(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  move: Move,
  row = paymentErrors.not_possible,
): Promise<Payment> {
  const payment = await lockPayment(tx, paymentId);
  if (!transitionOf(payment.status, move.to, move.reason)) throw refuse(row, { status: payment.status });
  return await bringUpToDate(tx, deps, await moveLocked(tx, deps, payment, move));
}

/** The customer or the merchant cancels; `not_cancellable` once money was seen or the payment has ended. */
export async function cancelPayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  by: 'customer' | 'merchant',
): Promise<Payment> {
  const move: Move = { to: 'cancelled', reason: by };
  return await act(tx, deps, paymentId, move, paymentErrors.not_cancellable);
}

/**
 * The customer chooses how to pay: an asset code of the payment's currency, or `wallet`. The first choice
 * links the payment and starts its deadline anew; a later one only changes the method. Every network that was chosen
 * is awaited at the deadline.
 */
export async function linkPayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  choice: string,
): Promise<Payment> {
  const now = deps.now();
  const payment = await lockPayment(tx, paymentId);
  const method = methodOf(deps.assets, payment, choice);
  if (method === null || (payment.status !== 'unlinked' && payment.status !== 'linked')) {
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  }
  // A deadline that has passed is not revived: the payment is brought to its end instead, or waits for it.
  if (now >= payment.deadline) return await bringUpToDate(tx, deps, payment);
  const shown = await railsShown(tx, deps, payment, method);
  const found = await tx.query<PaymentRow>(chooseMethodSql, [payment.id, method, now, shown]);
  const chosen = await touch(tx, deps, paymentOf(oneRow(found, 'choose method')));
  const linked =
    payment.status === 'unlinked'
      ? await moveLocked(tx, deps, chosen, { to: 'linked', reason: null })
      : chosen;
  return await bringUpToDate(tx, deps, linked);
}

/** The choice as it is kept: an asset's own code, where a bare currency means its default; null if it does not fit. */
function methodOf(assets: Assets, payment: Payment, choice: string): string | null {
  if (choice === 'wallet') return choice;
  const asset = assets.find(choice);
  if (asset?.currency !== payment.currency) return null;
  const isOffered = assets.offered(payment.currency).some(({ code }) => code === asset.code);
  return isOffered || asset.code === payment.method ? asset.code : null;
}

/** A simulated failure of a test payment. */
export async function failPayment(tx: Tx, deps: StateDeps, paymentId: string): Promise<Payment> {
  return await act(tx, deps, paymentId, { to: 'failed', reason: 'simulated' });
}

/** Lets a payment's deadline pass just before that moment: what comes in it comes late. */
export async function expirePayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  at: Date = deps.now(),
): Promise<Payment> {
  const payment = await lockPayment(tx, paymentId);
  if (!['unlinked', 'linked', 'pending'].includes(payment.status)) {
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  }
  await tx.query(
    `UPDATE payments SET deadline = least(deadline, $2::timestamptz - interval '1 millisecond') WHERE id = $1`,
    [payment.id, at],
  );
  return await bringUpToDate(tx, deps, await touch(tx, deps, payment), at);
}

/** The customer disputes a completed payment, within 30 days and with a reason. */
export async function disputePayment(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  reason: string,
): Promise<Payment> {
  const now = deps.now();
  const payment = await lockPayment(tx, paymentId);
  const until = disputableUntil(payment);
  if (!until || now > until) throw refuse(paymentErrors.not_possible, { status: payment.status });
  await noteClaim(tx, payment.id, { at: now, kind: 'dispute', content: reason });
  return await act(tx, deps, payment.id, { to: 'in-appeal', reason: 'disputed' });
}

/** Notes the transaction with which a customer says to have paid, for rails and operators to look for. */
export async function claimPaid(tx: Tx, paymentId: string, transaction: string, now: Date): Promise<void> {
  const payment = await lockPayment(tx, paymentId);
  if (payment.status === 'completed') throw refuse(paymentErrors.not_possible, { status: payment.status });
  await noteClaim(tx, payment.id, { at: now, kind: 'paid', content: transaction });
}
