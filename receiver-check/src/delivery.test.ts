import { expect, test } from 'vitest';
import { valid } from './cases.ts';
import { createEventMaker, signaturesOf } from './delivery.ts';

const now = () => new Date('2026-11-21T07:00:00Z');
const eventOf = createEventMaker('ABC123', 'an integration', now);

test('one draft is one event with the same bytes, however often it is sent', () => {
  const again = { ...valid };
  expect(eventOf(again)).toBe(eventOf(valid));
});

test('events of one payment share its id and its reference', () => {
  const read = (type: string) => JSON.parse(eventOf({ ...valid, type }).body.toString());
  const [one, other] = [read('payment_pending'), read('payment_failed')];
  expect(other).toMatchObject({ payment_id: one.payment_id, payment_reference: one.payment_reference });
  expect(other.event_id).not.toBe(one.event_id);
});

test('a secret that is not known signs nothing', () => {
  const { id, body } = eventOf(valid);
  const [key, secret] = ['sk_test_1', `whsec_${Buffer.alloc(32).toString('base64')}`];
  expect(signaturesOf(id, body, { secretKey: null, endpointSecrets: [] }, now())).toEqual({});
  const plain = signaturesOf(id, body, { secretKey: key, endpointSecrets: [] }, now());
  expect(Object.keys(plain)).toEqual(['X-Signature']);
  const standard = signaturesOf(id, body, { secretKey: null, endpointSecrets: [secret] }, now());
  expect(Object.keys(standard)).toEqual(['webhook-signature']);
});
