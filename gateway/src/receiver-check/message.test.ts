import { expect, test } from 'vitest';
import { newId } from '../kit/ids.ts';
import { eventBody } from '../webhooks/events/body.ts';
import { valid } from './belief-cases.ts';
import { createEventMaker, messageOf } from './message.ts';

const now = () => new Date('2026-11-21T07:00:00Z');
const integrationId = newId<'integration'>();
const eventOf = createEventMaker('ABC123', integrationId, now);

test('the first delivery of a check is written as the gateway writes its own', () => {
  const { id, body } = eventOf(valid.event);
  const { payment_id } = JSON.parse(body.toString()) as { payment_id: string };
  const payment = {
    id: payment_id,
    reference: 'TEST_CHECK_ABC123_ONCE',
    currency: 'USDC',
    amount: 25.5,
    status: 'completed',
    serviceFee: 0.255,
    customerEmail: 'customer@example.com',
    customerReference: 'customer-1',
  };
  const event = {
    integrationId,
    mode: 'test',
    type: 'payment_completed',
    sequence: 1,
    at: now(),
    payment,
  } as const;
  expect(body.toString()).toBe(eventBody(id, event));
});

test('one draft is one event with the same bytes, however often it is sent', () => {
  const again = { ...valid.event };
  expect(eventOf(again)).toBe(eventOf(valid.event));
});

test('events of one payment share its id and its reference', () => {
  const read = (key: string) => JSON.parse(eventOf({ ...valid.event, key }).body.toString());
  const [one, other] = [read('a'), read('b')];
  expect(other).toMatchObject({ payment_id: one.payment_id, payment_reference: one.payment_reference });
  expect(other.event_id).not.toBe(one.event_id);
});

test('what is not known is not signed with', () => {
  const { headers } = messageOf(eventOf(valid.event), { secretKey: null, endpointSecrets: [] }, now());
  expect(Object.keys(headers)).toEqual([
    'Content-Type',
    'User-Agent',
    'X-Event-Id',
    'X-Sequence',
    'webhook-id',
    'webhook-timestamp',
    'Connection',
  ]);
});
