import type { PaymentEvent, WebhookEvent } from '@florin/sdk';

/** An order as this shop keeps it. It is open until its payment ends. */
export type Order = {
  paymentReference: string;
  amount: number;
  currency: string;
  status: 'open' | 'paid' | 'failed' | 'to be looked at';
};

/** What a transaction can do. In SQL each is the statement beside it. */
export type OrderTransaction = {
  /** False for an event that was there: `INSERT INTO events (id) VALUES ($1) ON CONFLICT DO NOTHING`, 0 rows. */
  rememberEvent(eventId: string): Promise<boolean>;
  /** `SELECT ... FROM orders WHERE payment_reference = $1 FOR UPDATE`. */
  findOrder(paymentReference: string): Promise<Order | undefined>;
  /** `UPDATE orders SET status = $2 WHERE payment_reference = $1`. */
  setStatus(paymentReference: string, status: Order['status']): Promise<void>;
};

/** Where orders are kept. Everything that `work` did is kept, or nothing when it throws. */
export type OrderStore = {
  transaction<Result>(work: (tx: OrderTransaction) => Promise<Result>): Promise<Result>;
};

/** What became of an event. Each of them is answered with 200: sending it again would change nothing. */
export type Outcome = 'applied' | 'repeated' | 'ignored';

/**
 * Brings a verified event to its order. The event's id is kept in the transaction that changes the order: the second
 * of two deliveries changes nothing, even at the same moment, and after a crash either both are there or neither.
 */
export async function applyEvent(store: OrderStore, event: WebhookEvent): Promise<Outcome> {
  // Also what a later version may send: unknown is not wrong.
  if (!('payment_reference' in event)) return 'ignored';
  return store.transaction(async (tx) => {
    const order = await tx.findOrder(event.payment_reference);
    // One integration may serve other programs beside this one.
    if (!order) return 'ignored';
    if (!(await tx.rememberEvent(event.event_id))) return 'repeated';
    const status = statusAfter(order, event);
    if (status === order.status) return 'ignored';
    await tx.setStatus(order.paymentReference, status);
    return 'applied';
  });
}

function statusAfter(order: Order, event: PaymentEvent): Order['status'] {
  switch (event.event_type) {
    case 'payment_completed': {
      const isPrice = event.amount === order.amount && event.currency === order.currency;
      return isPrice ? 'paid' : 'to be looked at';
    }
    case 'payment_failed':
      // Events can overtake each other: an order that was paid stays paid.
      return order.status === 'open' ? 'failed' : order.status;
    default:
      // Abandoned leaves the order open: the customer may come back and pay.
      return order.status;
  }
}
