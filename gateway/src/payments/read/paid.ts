import { decimal, isCharged, type Payment } from '../payment/payment.ts';
import { rateText } from '../prices/view.ts';

/** What is paid, for people who also see what was asked; null while an open payment has no currency. */
export function paidOf(payment: Payment) {
  const paid = isCharged(payment)
    ? {
        paid_currency: payment.currency,
        paid_amount: decimal(payment, payment.amount),
        paid_fee: decimal(payment, payment.fee),
      }
    : { paid_currency: null, paid_amount: null, paid_fee: null };
  return { ...paid, rate: payment.rate === null ? null : rateText(payment.rate) };
}
