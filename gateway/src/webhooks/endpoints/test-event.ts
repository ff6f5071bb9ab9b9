import type { Owner } from '../../identity/owner.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { newId, randomCrockford } from '../../kit/ids.ts';
import { webhookErrors } from '../errors.ts';
import { disabledBody, eventBody, payoutBody } from '../events/body.ts';
import {
  type EventType,
  endpointDisabled,
  type PaymentEventType,
  type PayoutEventType,
} from '../events/event-types.ts';
import { type EventSubject, insertEvents } from '../events/outbox.ts';
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
  refund_created: 'completed',
  refund_failed: 'completed',
};

const testPayoutStatus: Record<PayoutEventType, string> = {
  payout_awaiting_approval: 'awaiting_approval',
  payout_completed: 'completed',
  payout_failed: 'failed',
  payout_cancelled: 'cancelled',
};

/** Throws for an endpoint that is not active: a test event would wait there, or never be sent. */
export function assertTakesTests({ status }: Pick<Endpoint, 'status'>): void {
  if (status === 'disabled') throw refuse(webhookErrors.endpoint_off);
  if (status === 'paused') throw refuse(webhookErrors.endpoint_paused);
}

/**
 * Sends a sample event to this endpoint alone: of a payment or a payout `TEST_...` (contract.md#calls), or of an endpoint,
 * none of which exists. Returns its id.
 */
export async function sendTestEvent(
  tx: Tx,
  hints: Hints,
  { endpointId, ...owner }: Owner & { endpointId: EndpointId },
  { type, at }: { type: EventType; at: Date },
): Promise<string> {
  const id = newId<'event'>(at);
  const { subject, body } = sampleOf(id, owner, type, at);
  const sequence = subject.kind === 'endpoint' ? 0 : 1;
  await insertEvents(tx, hints, [
    { ...owner, id, type, at, sequence, subject, body, onlyEndpointId: endpointId },
  ]);
  return id;
}

function sampleOf(
  eventId: string,
  owner: Owner,
  type: EventType,
  at: Date,
): { subject: EventSubject; body: string } {
  const id = newId(at);
  const reference = `TEST_${randomCrockford(20)}`;
  if (type === endpointDisabled) {
    return { subject: { kind: 'endpoint', id }, body: endpointBody(eventId, owner, id, at) };
  }
  if (isOfPayout(type)) {
    const body = samplePayoutBody(eventId, owner, { type, id, reference }, at);
    return { subject: { kind: 'payout', id, reference }, body };
  }
  const body = paymentBody(eventId, owner, { type, id, reference }, at);
  return { subject: { kind: 'payment', id, reference }, body };
}

function isOfPayout(type: EventType): type is PayoutEventType {
  return type in testPayoutStatus;
}

function samplePayoutBody(
  eventId: string,
  owner: Owner,
  { type, id, reference }: { type: PayoutEventType; id: string; reference: string },
  at: Date,
): string {
  const payout = {
    id,
    reference,
    purpose: 'merchant_payout',
    asset: 'usdc-base',
    amount: '100',
    fee: '0',
    to: `0x${'00'.repeat(19)}01`,
    memo: null,
    status: testPayoutStatus[type],
    transaction: type === 'payout_completed' ? `0x${'00'.repeat(32)}` : null,
  };
  return payoutBody(eventId, { ...owner, type, sequence: 1, at, payout });
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
  const refund = { id: newId(at), asset: 'usdc-base', amount: '10' };
  const isOfRefund = type === 'payment_refunded' || type === 'refund_created' || type === 'refund_failed';
  return eventBody(eventId, { ...owner, type, sequence: 1, at, payment, ...(isOfRefund && { refund }) });
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
