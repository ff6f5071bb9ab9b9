import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockMoney, lockPayment } from '../settlement/locks.ts';
import { findRefund, type Refund, type RefundId, refundsOf } from '../settlement/refund.ts';
import { endUnsent } from '../settlement/refund-money.ts';

/**
 * Cancels a refund that is not being sent, and what waits as one with it: its money goes back where it came from. One that an appeal ended with stays
 * owed: only what was ordered to send it is cancelled. Refuses `not_found`, `payout_not_cancellable`.
 */
export async function cancelRefund(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  refundId: string,
): Promise<Refund> {
  const payment = await lockPayment(tx, paymentId);
  const refund = await found(tx, paymentId, refundId);
  const payoutId = refund.payoutId ?? (await payoutWith(tx, refund));
  if (payoutId !== null && refund.status !== 'completed') await cancelPayout(tx, deps, payoutId);
  else {
    if (refund.status !== 'awaiting_destination' || refund.isOwed)
      throw refuse(payoutErrors.payout_not_cancellable);
    await lockMoney(tx, [{ payment, assets: [refund.asset] }]);
    await endUnsent(tx, deps, payment, refund, null, deps.now());
    await tx.query('UPDATE payments SET version = version + 1 WHERE id = $1', [payment.id]);
  }
  return await found(tx, paymentId, refund.id);
}

/** The payout of what a refund waits with as one, where it has none itself: it is left to the customer. */
async function payoutWith(tx: Tx, { paymentId, status, together }: Refund): Promise<string | null> {
  if (status !== 'awaiting_approval') return null;
  const others = (await refundsOf(tx, paymentId)).filter((each) => each.together === together);
  return others.find(({ payoutId }) => payoutId !== null)?.payoutId ?? null;
}

async function found(tx: Tx, paymentId: string, refundId: string | RefundId): Promise<Refund> {
  const refund = await findRefund(tx, paymentId, refundId);
  if (!refund) throw refuse(kitErrors.not_found);
  return refund;
}
