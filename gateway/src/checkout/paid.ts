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
