import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  after,
  body,
  both,
  endpointSecret,
  event,
  headersOf,
  otherKey,
  otherSecret,
  plain,
  reasonOf,
  secretKey,
  sentAt,
} from '../test/webhook.ts';
import { verifyWebhook } from './verify-webhook.ts';
import type { PaymentEvent, PayoutEvent, WebhookEndpointDisabledEvent } from './webhook-events.ts';

describe('a true webhook', () => {
  test('gives its event', async () => {
    expect(await verifyWebhook(both)).toEqual(event);
  });

  test('may be checked with either secret alone', async () => {
    expect(await verifyWebhook({ body, headers: { 'X-Signature': plain() }, secretKey })).toEqual(event);
    expect(await verifyWebhook({ body, headers: headersOf(), endpointSecret, now: sentAt })).toEqual(event);
  });

  test('may come as bytes, with the headers of fetch or of Node', async () => {
    const bytes = Buffer.from(`..${body}`).subarray(2);
    expect(await verifyWebhook({ ...both, body: bytes })).toEqual(event);
    expect(await verifyWebhook({ ...both, body: new Uint8Array(bytes).buffer })).toEqual(event);
    expect(
      await verifyWebhook({ ...both, body: runInNewContext('Uint8Array.from(bytes).buffer', { bytes }) }),
    ).toEqual(event);
    expect(await verifyWebhook({ ...both, headers: new Headers(headersOf()) })).toEqual(event);
    const [first, second] = [headersOf(plain(), otherSecret), headersOf()].map((h) => h['webhook-signature']);
    const repeated = { ...headersOf(), 'webhook-signature': [first!, second!] };
    expect(await verifyWebhook({ ...both, headers: repeated })).toEqual(event);
    const joined = new Headers(headersOf());
    joined.set('webhook-signature', `${first}, ${second}`);
    expect(await verifyWebhook({ ...both, headers: joined })).toEqual(event);
  });

  test('is known by an independent verifier too', () => {
    const verified = new Webhook(endpointSecret).sign(event.event_id, sentAt, body);
    expect(headersOf()['webhook-signature']).toBe(verified);
  });

  test('of a type that is not known yet is still an event', async () => {
    const text = JSON.stringify({ ...event, event_type: 'payment_delighted' });
    const verified = await verifyWebhook({
      body: text,
      headers: { 'x-signature': plain(secretKey, text) },
      secretKey,
    });
    expect(verified.event_type).toBe('payment_delighted');
  });

  test('has the fields of its type', async () => {
    const heard = await verifyWebhook(both);
    switch (heard.event_type) {
      case 'payment_completed':
        expectTypeOf(heard).toEqualTypeOf<PaymentEvent>();
        break;
      case 'webhook_endpoint_disabled':
        expectTypeOf(heard).toEqualTypeOf<WebhookEndpointDisabledEvent>();
        break;
      case 'payout_failed':
        expectTypeOf(heard).toEqualTypeOf<PayoutEvent>();
        break;
      default:
        expectTypeOf(heard).toEqualTypeOf<PaymentEvent | PayoutEvent>();
    }
    if ('payment_reference' in heard) expectTypeOf(heard).toEqualTypeOf<PaymentEvent>();
    expectTypeOf(heard.event_type).toExtend<string>();
  });
});

describe('while a secret is rolled', () => {
  test('either of two keys will do', async () => {
    const keys = [otherKey, secretKey];
    expect(await reasonOf({ ...both, secretKey: keys })).toBe('accepted');
    expect(await reasonOf({ ...both, headers: headersOf(plain(otherKey)), secretKey: keys })).toBe(
      'accepted',
    );
    expect(await reasonOf({ ...both, secretKey: [otherKey] })).toBe('wrong_signature');
  });

  test('one fitting pair of signature and endpoint secret is enough', async () => {
    const headers = headersOf(plain(), endpointSecret, otherSecret);
    expect(await reasonOf({ ...both, headers, endpointSecret: otherSecret })).toBe('accepted');
    expect(await reasonOf({ ...both, endpointSecret: [otherSecret, endpointSecret] })).toBe('accepted');
    expect(await reasonOf({ ...both, endpointSecret: otherSecret })).toBe('wrong_signature');
  });
});

describe('a webhook is refused', () => {
  test('when any one byte of the body was changed', async () => {
    const bytes = Buffer.from(body);
    for (let index = 0; index < bytes.length; index += 7) {
      const tampered = Buffer.from(bytes);
      tampered[index]! ^= 1;
      const webhook = { body: tampered, headers: headersOf(), now: sentAt };
      expect(await reasonOf({ ...webhook, secretKey })).toBe('wrong_signature');
      expect(await reasonOf({ ...webhook, endpointSecret })).toBe('wrong_signature');
    }
  });

  test('when either signature is wrong, though the other is right', async () => {
    const headers = headersOf();
    const wrongPlain = { ...headers, 'x-signature': plain(otherKey) };
    const wrongStandard = { ...headers, 'webhook-signature': 'v1,AAAA v1a,abc' };
    expect(await reasonOf({ ...both, headers: wrongPlain })).toBe('wrong_signature');
    expect(await reasonOf({ ...both, headers: wrongStandard })).toBe('wrong_signature');
    expect(await reasonOf({ ...both, headers: { ...headers, 'webhook-id': 'another' } })).toBe(
      'wrong_signature',
    );
  });

  test.each(['x-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'when %s is missing',
    async (name) => {
      const headers: Record<string, string | undefined> = headersOf();
      expect(await reasonOf({ ...both, headers: { ...headers, [name]: undefined } })).toBe('missing_header');
    },
  );

  test('when its time is further off than the tolerance, and not a second before', async () => {
    expect(await reasonOf({ ...both, now: after(300) })).toBe('accepted');
    expect(await reasonOf({ ...both, now: after(301) })).toBe('too_old');
    expect(await reasonOf({ ...both, now: after(-300) })).toBe('accepted');
    expect(await reasonOf({ ...both, now: after(-301) })).toBe('too_new');
    expect(await reasonOf({ ...both, now: after(20), toleranceSeconds: 10 })).toBe('too_old');
  });

  test('when X-Event-Id is not the id in the body', async () => {
    const headers = { ...headersOf(), 'x-event-id': 'another' };
    expect(await reasonOf({ ...both, headers })).toBe('event_id_mismatch');
  });

  test('when the signed body is no event', async () => {
    for (const text of ['[]', 'null', 'hello', '{"event_id":1}']) {
      const headers = { 'x-signature': plain(secretKey, text) };
      expect(await reasonOf({ body: text, headers, secretKey })).toBe('not_an_event');
    }
  });
});
