import type { Owner } from '../../identity/owner.ts';
import { storeIdOf } from '../../identity/store-id.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import type { InvoiceEventType } from './event-types.ts';
import { insertEvents, type NewEvent } from './outbox.ts';

/** What happened to an invoice of the BTCPay door. */
export type InvoiceEvent = Owner & {
  type: InvoiceEventType;
  at: Date;
  /** `metadata`: the text of a JSON object, as it is now. */
  invoice: { id: string; metadata: string };
  /** `sequence`: the number of the payment's last event. */
  payment: { id: string; reference: string; sequence: number };
  /** The further fields of this type. */
  more: object;
};

/** The text of an event without what each delivery adds; what happened later does not change it. */
const bodyOf = ({ type, at, invoice, more, ...owner }: InvoiceEvent): string =>
  JSON.stringify({
    ...{ type, timestamp: Math.floor(at.getTime() / 1000) },
    ...{ storeId: storeIdOf(owner), invoiceId: invoice.id, metadata: JSON.parse(invoice.metadata), ...more },
  });

/** Writes events of invoices and their deliveries, in the transaction that changed the payments, as `recordEvents` does. */
export async function recordInvoiceEvents(
  tx: Tx,
  hints: Hints,
  events: readonly InvoiceEvent[],
): Promise<void> {
  const made = events.map((event): NewEvent => {
    const { integrationId, mode, type, at, payment } = event;
    const subject = { kind: 'payment', id: payment.id, reference: payment.reference } as const;
    return {
      ...{ id: newId<'event'>(at), integrationId, mode, type, at, sequence: payment.sequence },
      ...{ body: bodyOf(event), subject, onlyEndpointId: null },
    };
  });
  await insertEvents(tx, hints, made);
}

/** One delivery of an event: which attempt at it, and to which endpoint. */
export type InvoiceDelivery = { id: string; endpointId: string; attempts: number; body: string };

/** The id of an attempt at a delivery, by which that API names it: the delivery's own, from the second on with a number. */
export const invoiceDeliveryId = ({ id, attempts }: Pick<InvoiceDelivery, 'id' | 'attempts'>): string =>
  attempts === 0 ? id : `${id}-${attempts}`;

/** The body of one attempt at a delivery (contract.md#btcpay). */
export function invoiceBody(delivery: InvoiceDelivery): string {
  const { id, endpointId, attempts, body } = delivery;
  return JSON.stringify({
    deliveryId: invoiceDeliveryId(delivery),
    webhookId: endpointId,
    originalDeliveryId: id,
    isRedelivery: attempts > 0,
    ...JSON.parse(body),
  });
}
