import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { newId, randomCrockford } from '../../kit/ids.ts';
import { webhookErrors } from '../errors.ts';
import { disabledBody, eventBody } from '../events/body.ts';
import { type EventType, endpointDisabled, type PaymentEventType } from '../events/event-types.ts';
import { resendEvent } from '../events/events.ts';
import type { EndpointId, Endpoint as FoundEndpoint } from './endpoints.ts';

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

type Endpoint = Owner & { endpointId: EndpointId };

/** Refuses for an endpoint that is not active: a test event would wait there, or never come. */
export function assertTakesTests({ status }: Pick<FoundEndpoint, 'status'>): void {
  if (status === 'disabled') throw refuse(webhookErrors.endpoint_off);
  if (status === 'paused') throw refuse(webhookErrors.endpoint_paused);
}

/**
 * Makes up an event for this endpoint alone: of a payment `TEST_...` (contract.md 7), or of an endpoint that there
 * is not. Returns its id.
 */
export async function sendTestEvent(
  tx: Tx,
  hints: Hints,
  endpoint: Endpoint,
  type: EventType,
  now: Date,
): Promise<string> {
  const id = newId<'event'>(now);
  const reference = `TEST_${randomCrockford(20)}`;
  const subject = newId(now);
  const isOfPayment = type !== endpointDisabled;
  const { integrationId, mode, endpointId } = endpoint;
  await tx.query(
    `INSERT INTO events (id, integration_id, mode, type, payment_id, about_endpoint_id, payment_reference, sequence,
       body, only_endpoint_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      integrationId,
      mode,
      type,
      isOfPayment ? subject : null,
      isOfPayment ? null : subject,
      reference,
      isOfPayment ? 1 : 0,
      isOfPayment
        ? paymentBody(id, endpoint, { type, id: subject, reference }, now)
        : endpointBody(id, endpoint, subject, now),
      endpointId,
      now,
    ],
  );
  await resendEvent(tx, hints, id, now);
  return id;
}

function paymentBody(
  eventId: string,
  { integrationId, mode }: Owner,
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
  return eventBody(eventId, { integrationId, mode, type, sequence: 1, at, payment });
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
