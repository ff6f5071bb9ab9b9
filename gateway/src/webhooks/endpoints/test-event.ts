import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { newId, randomCrockford } from '../../kit/ids.ts';
import { webhookErrors } from '../errors.ts';
import { disabledBody, eventBody } from '../events/body.ts';
import { type EventType, endpointDisabled, type PaymentEventType } from '../events/event-types.ts';
import { insertEvents } from '../events/outbox.ts';
import type { Endpoint, EndpointId } from './endpoints.ts';

const testStatus: Record<PaymentEventType, string> = {
  payment_completed: 'completed',
  payment_failed: 'failed',
  payment_abandoned: 'cancelled',
  payment_linked: 'linked',
  payment_pending: 'pending',
  payment_cancelled: 'cancelled',
  payment_in_appeal: 'in-appeal',
  payment_appeal_closed: 'completed',
  payment_refunded: 'cancelled',
};

/** Refuses for an endpoint that is not active: a test event would wait there, or never come. */
export function assertTakesTests({ status }: Pick<Endpoint, 'status'>): void {
  if (status === 'disabled') throw refuse(webhookErrors.endpoint_off);
  if (status === 'paused') throw refuse(webhookErrors.endpoint_paused);
}

/**
 * Makes up an event for this endpoint alone: of a payment `TEST_...` (contract.md 7), or of an endpoint that does not
 * exist. Returns its id.
 */
export async function sendTestEvent(
  tx: Tx,
  hints: Hints,
  { endpointId, ...owner }: Owner & { endpointId: EndpointId },
  type: EventType,
  at: Date,
): Promise<string> {
  const id = newId<'event'>(at);
  const reference = `TEST_${randomCrockford(20)}`;
  const subject = newId(at);
  const event = { ...owner, id, type, at, reference, onlyEndpointId: endpointId };
  await insertEvents(tx, hints, [
    type === endpointDisabled
      ? {
          ...event,
          sequence: 0,
          paymentId: null,
          aboutEndpointId: subject,
          body: endpointBody(id, owner, subject, at),
        }
      : {
          ...event,
          sequence: 1,
          paymentId: subject,
          aboutEndpointId: null,
          body: paymentBody(id, owner, { type, id: subject, reference }, at),
        },
  ]);
  return id;
}

function paymentBody(
  eventId: string,
  owner: Owner,
  { type, id, reference }: { type: PaymentEventType; id: string; reference: string },
  at: Date,
): string {
  const payment = {
    id,
    reference,
    currency: 'USDC',
    amount: 100,
    status: testStatus[type],
    serviceFee: 1,
    customerEmail: null,
    customerReference: null,
  };
  return eventBody(eventId, { ...owner, type, sequence: 1, at, payment });
}

const weekMs = 7 * 24 * 3600 * 1000;

function endpointBody(eventId: string, { integrationId }: Owner, id: string, at: Date): string {
  const endpoint = {
    id,
    url: 'https://test.example/webhook',
    reason: 'This is a test',
    failingSince: new Date(at.getTime() - weekMs),
  };
  return disabledBody(eventId, { integrationId, endpoint, at });
}
