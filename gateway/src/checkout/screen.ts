import type { CheckoutPayment } from './checkout-payment.ts';
import { isZero } from './format.ts';
import { isOpen } from './priced.ts';

/** The screens of the page: the statuses of contract.md#states, some split by what the customer has to know. */
export type ScreenName =
  | 'waiting'
  | 'linked'
  | 'wallet'
  | 'seen'
  | 'part-paid'
  | 'overpaid'
  | 'late'
  | 'expired'
  | 'unread'
  | 'failed'
  | 'cancelled'
  | 'in-appeal'
  | 'completed';

/**
 * Chooses the screen of a payment. Once the deadline has passed no screen invites the customer to send
 * money, even before the expiry of the payment has been recorded; and none does once all of it was seen (contract.md#page).
 */
export function screenOf(view: CheckoutPayment, now: Date): ScreenName {
  const inTime = now.getTime() < view.deadline.getTime();
  const covered = isZero(view.overpayment) ? 'seen' : 'overpaid';
  switch (view.status) {
    case 'unlinked':
      if (!inTime) return 'expired';
      return isZero(view.amountMissing) && !isOpen(view) ? covered : 'waiting';
    case 'linked':
      if (!inTime) return view.isUnread ? 'unread' : 'expired';
      if (isZero(view.amountMissing)) return covered;
      return view.method === 'wallet' ? 'wallet' : 'linked';
    case 'pending':
      if (isZero(view.amountMissing)) return covered;
      if (inTime) return 'part-paid';
      if (view.isUnread) return 'unread';
      // What came completes it as soon as all of it is final.
      return view.shortfall.isTolerated ? 'seen' : 'in-appeal';
    case 'cancelled':
      if (view.reason !== 'abandoned') return 'cancelled';
      return isZero(view.amountReceived) || view.isDust ? 'expired' : 'late';
    default:
      return view.status;
  }
}
