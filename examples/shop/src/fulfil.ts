import type { PaymentEvent, WebhookEvent } from '@florin/sdk';
import {
  findOrder,
  findPayment,
  latestPayment,
  type Mode,
  type Order,
  type Payment,
  rememberEvent,
  type Store,
  transaction,
  updateOrder,
  updatePayment,
} from './store.ts';

/** What became of an event: it took effect, it was seen before, or it is none of this shop's business. */
export type EventResult = 'applied' | 'repeated' | 'ignored';

/**
 * Brings an event, verified with the secrets of `mode`, to its order. The event's id is kept in the same transaction as the change, so a second
 * delivery changes nothing, and a crash in between leaves neither.
 */
export function applyEvent(store: Store, event: WebhookEvent, mode: Mode): EventResult {
  // What is not about a payment is about no order.
  if (!('payment_reference' in event)) return 'ignored';
  return transaction(store, () => {
    const payment = findPayment(store, event.payment_reference);
    const order = payment && findOrder(store, payment.orderId);
    // Not kept as seen: one integration may serve other programs beside this shop.
    if (!payment || !order) return 'ignored';
    // Test money pays no live order, whoever holds the test key.
    if (order.mode !== mode) return 'ignored';
    if (!rememberEvent(store, event.event_id, event.event_type)) return 'repeated';
    if (event.event_type === 'payment_completed') complete(store, order, payment, event);
    else if (event.event_type === 'payment_failed') fail(store, order, payment);
    else if (event.event_type === 'payment_abandoned') abandon(store, order, payment);
    else return 'ignored';
    return 'applied';
  });
}

function complete(store: Store, order: Order, payment: Payment, event: PaymentEvent): void {
  updatePayment(store, payment.reference, 'completed');
  const { status } = order;
  if (event.amount !== order.totalCents / 100 || event.currency !== order.currency) {
    const note = `${event.amount} ${event.currency} was paid, which is not the price of this order. We will write to you.`;
    updateOrder(store, order.id, { status, note });
  } else if (status === 'paid') {
    updateOrder(store, order.id, {
      status,
      note: 'This order was paid twice. We will send one payment back.',
    });
  } else {
    updateOrder(store, order.id, { status: 'paid', note: '' });
  }
}

function fail(store: Store, order: Order, payment: Payment): void {
  updatePayment(store, payment.reference, 'failed');
  if (isCurrent(store, order, payment)) updateOrder(store, order.id, { status: 'failed', note: '' });
}

function abandon(store: Store, order: Order, payment: Payment): void {
  updatePayment(store, payment.reference, 'abandoned');
  const note = 'The payment page was left before anything was paid.';
  if (isCurrent(store, order, payment)) updateOrder(store, order.id, { status: 'open', note });
}

/** Whether this payment's end decides about the order: a paid order or a newer try is not undone by an old one. */
function isCurrent(store: Store, order: Order, payment: Payment): boolean {
  return order.status !== 'paid' && latestPayment(store, order.id)?.reference === payment.reference;
}
