import type { Payment } from '../payments/payment/payment.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { isZero } from './format.ts';

/** What pays a payment, without what came too much: the shop may accept less than is due. */
export function paidAmount({
  shortAmount,
  amountMissing,
  amountDue,
  amountReceived,
}: CheckoutPayment): string {
  return shortAmount ?? (isZero(amountMissing) ? amountDue : amountReceived);
}

/** When the payment ended. A completed one that was in appeal since keeps the first time. */
export function endedAtOf({ status, completedAt, updatedAt }: Payment): Date | null {
  if (status === 'completed') return completedAt;
  return status === 'failed' || status === 'cancelled' ? updatedAt : null;
}
