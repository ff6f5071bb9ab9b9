import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { raiseVersion } from '../settlement/moves.ts';
import type { Refund } from '../settlement/refund.ts';
import { cancelUnsent } from '../settlement/refund-money.ts';
import { payoutDepsOf } from '../settlement/refund-payouts.ts';

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
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    await cancelOpenRefund(changes, paymentId, refundId);
    return refundIn(changes, paymentId, refundId);
  });
}

/** The same of a payment that is open for changes. */
export async function cancelOpenRefund(changes: Changes, paymentId: string, refundId: string): Promise<void> {
  const refund = refundIn(changes, paymentId, refundId);
  const payoutId = refund.payoutId ?? payoutWith(changes, refund);
  if (payoutId !== null && refund.status !== 'completed') {
    await cancelPayout(changes.tx, payoutDepsOf(changes), payoutId);
    return;
  }
  if (refund.status !== 'awaiting_destination' || refund.isOwed)
    throw refuse(payoutErrors.payout_not_cancellable);
  cancelUnsent(changes, refund, null);
  raiseVersion(changes, paymentId);
}

/** The payout of what a refund waits with as one, where it has none itself: it is left to the customer. */
function payoutWith(changes: Changes, { paymentId, status, together }: Refund): string | null {
  if (status !== 'awaiting_approval') return null;
  const others = changes.refundsOf(paymentId).filter((each) => each.together === together);
  return others.find(({ payoutId }) => payoutId !== null)?.payoutId ?? null;
}

/** A refund of a payment that is open for changes; refuses `not_found`. */
export function refundIn(changes: Changes, paymentId: string, refundId: string): Refund {
  const refund = changes.refundsOf(paymentId).find(({ id }) => id === refundId);
  if (!refund) throw refuse(kitErrors.not_found);
  return refund;
}
