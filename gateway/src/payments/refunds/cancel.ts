import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { raiseVersion } from '../settlement/moves.ts';
import type { Refund } from '../settlement/refund.ts';
import { cancelUnsent } from '../settlement/refund-money.ts';
import { payoutDepsOf, waitAgain } from '../settlement/refund-payouts.ts';

/**
 * Cancels a refund that is not being sent, and those that wait as one with it: the money goes back where it came from. One
 * that the end of an appeal made stays owed: only the payout that carries it, or what was asked of the merchant, is cancelled. Refuses `not_found`,
 * `payout_not_cancellable`.
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
  const isOfOwner = refund.status === 'awaiting_destination' && !refund.isOwed;
  if (!isOfOwner && refund.status !== 'awaiting_transfer') throw refuse(payoutErrors.payout_not_cancellable);
  if (refund.isOwed) waitAgain(changes, refund, null);
  else cancelUnsent(changes, refund, null);
  raiseVersion(changes, paymentId);
}

/** The payout of another refund that this one waits with as one; this one has none, since its customer says where to. */
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
