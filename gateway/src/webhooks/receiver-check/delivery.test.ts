import { createEventMaker, plainHeaders, signaturesOf } from '@florin/receiver-check/delivery';
import { expect, test } from 'vitest';
import { newId } from '../../kit/ids.ts';
import { endpointKey, standardSignature } from '../../kit/net/standard-webhooks.ts';
import { plainHeaders as headersOfGateway } from '../deliveries/request-headers.ts';
import { bodySignature, newEndpointSecret } from '../endpoints/sign.ts';
import { eventBody } from '../events/body.ts';

const now = () => new Date('2026-11-21T07:00:00Z');
const integrationId = newId<'integration'>();
const event = createEventMaker('ABC123', integrationId, now)({ payment: 'ONCE' });

test('the first delivery of a check has the body that the gateway writes', () => {
  const { payment_id } = JSON.parse(event.body.toString()) as { payment_id: string };
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
  const type = 'payment_completed';
  const written = { integrationId, mode: 'test', type, sequence: 1, at: now(), payment } as const;
  expect(event.body.toString()).toBe(eventBody(event.id, written));
});

test('it has the headers and signatures of the gateway', () => {
  const facts = { eventId: event.id, sequence: 1, at: now() };
  expect(plainHeaders(event, now())).toEqual(headersOfGateway(facts));
  const [secretKey, secrets] = ['sk_test_1', [newEndpointSecret(), newEndpointSecret()]];
  const { id, body } = event;
  const timestamp = Math.floor(now().getTime() / 1000);
  expect(signaturesOf(id, body, { secretKey, endpointSecrets: secrets }, now())).toEqual({
    'X-Signature': bodySignature(body, Buffer.from(secretKey)),
    'webhook-signature': standardSignature({ id, timestamp, body }, secrets.map(endpointKey)),
  });
});
