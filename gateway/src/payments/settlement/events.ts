import { decimalOf } from '../../money/money.ts';
import type { PaymentEventType } from '../../webhooks/events/event-types.ts';
import type { EventInput } from '../../webhooks/events/outbox.ts';
import { decimal, eventPayment, isCharged, type Payment } from '../payment/payment.ts';
import { rateText } from '../prices/view.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { countingOf } from './received.ts';
import type { Refund } from './refund.ts';

/** Records an event of a payment as it now is, under the next number of its events. */
export function recordEvent(
  changes: Changes<ChangeDeps>,
  paymentId: string,
  type: PaymentEventType,
  refund?: Pick<Refund, 'id' | 'asset' | 'units'>,
): void {
  const { assets, now } = changes.deps;
  const before = changes.payment(paymentId);
  const payment = { ...before, version: before.version + 1, eventSequence: before.eventSequence + 1 };
  changes.changePayment(payment);
  changes.noteEvent({
    integrationId: payment.integrationId,
    mode: payment.mode,
    type,
    sequence: payment.eventSequence,
    at: now(),
    payment: eventPayment(payment),
    ...(payment.price && { paid: paidOf(changes, payment) }),
    ...(refund && { refund: refundOf(refund, assets.get(refund.asset).scale) }),
  });
}

/** How a priced payment is paid: in the asset that came first, or that was chosen. */
function paidOf(changes: Changes<ChangeDeps>, payment: Payment): NonNullable<EventInput['paid']> {
  if (!isCharged(payment) || payment.rate === null) return { asset: '', amount: '', fee: '', rate: '' };
  const { assets } = changes.deps;
  const { currency, method, amount, fee } = payment;
  const [first] = countingOf(assets, payment, changes.transfersOf(payment.id));
  const chosen = method === null ? undefined : assets.find(method);
  return {
    asset: first?.asset ?? (chosen ?? assets.defaultOf(currency)).code,
    amount: decimal(payment, amount),
    fee: decimal(payment, fee),
    rate: rateText(payment.rate),
  };
}

const refundOf = ({ id, asset, units }: Pick<Refund, 'id' | 'asset' | 'units'>, scale: number) => ({
  id,
  asset,
  amount: decimalOf(units, scale),
});

/** Records an event of a refund among those of its payment. */
export function recordRefundEvent(
  changes: Changes<ChangeDeps>,
  refund: Refund,
  type: 'refund_created' | 'refund_failed' | 'payment_refunded',
): void {
  recordEvent(changes, refund.paymentId, type, refund);
}

/** Records the event that the money of a refund has left, once in its life. */
export function announceRefunded(changes: Changes<ChangeDeps>, refund: Refund): void {
  if (refund.announcedAt !== null) return;
  changes.changeRefund({ ...refund, announcedAt: changes.deps.now() });
  recordRefundEvent(changes, refund, 'payment_refunded');
}
