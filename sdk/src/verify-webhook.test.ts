import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type VerifyWebhookInput, verifyWebhook } from './verify-webhook.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const otherKey = 'sk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
const endpointSecret = `whsec_${Buffer.from('a secret of the endpoint').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('the one that comes after').toString('base64')}`;
const sentAt = new Date('2026-11-20T10:00:00Z');

const event = {
  event_id: '0b8f8f4e-8f3a-4a57-9c3d-1f1f2c9f7a10',
  payment_id: '6a1d3f57-4f0e-4a7a-8c55-4b8a5a0b9c11',
  currency: 'USDC',
  amount: 18.5,
  payment_reference: 'PAY_1',
  payment_status: 'completed',
  service_fee: 0.185,
  customer_email: 'zoë@example.com',
  customer_reference: '',
  integration_id: '3c0f6d1e-70d5-4c7e-9a5a-6d3a1e1f2b12',
  event_type: 'payment_completed',
  timestamp: 1795168800,
} as const;
const body = JSON.stringify(event);

function plain(key = secretKey, text = body): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** Headers as the gateway sends them, the standard ones made by an independent library. */
function headersOf(signature = plain(), ...secrets: string[]) {
  const used = secrets.length > 0 ? secrets : [endpointSecret];
  return {
    'x-signature': signature,
    'x-event-id': event.event_id as string,
    'webhook-id': event.event_id as string,
    'webhook-timestamp': `${sentAt.getTime() / 1000}`,
    'webhook-signature': used
      .map((secret) => new Webhook(secret).sign(event.event_id, sentAt, body))
      .join(' '),
  };
}

const both = { body, headers: headersOf(), secretKey, endpointSecret, now: sentAt };

async function reasonOf(input: VerifyWebhookInput): Promise<unknown> {
  return verifyWebhook(input).then(
    () => 'accepted',
    (error: { reason?: string }) => error.reason,
  );
}

function after(seconds: number): Date {
  return new Date(sentAt.getTime() + seconds * 1000);
}

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
    expect(await verifyWebhook({ ...both, headers: new Headers(headersOf()) })).toEqual(event);
    const [first, second] = [headersOf(plain(), otherSecret), headersOf()].map((h) => h['webhook-signature']);
    const repeated = { ...headersOf(), 'webhook-signature': [first!, second!] };
    expect(await verifyWebhook({ ...both, headers: repeated })).toEqual(event);
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
      expect(await reasonOf({ ...both, body: tampered, endpointSecret: undefined })).toBe('wrong_signature');
      expect(await reasonOf({ ...both, body: tampered, secretKey: undefined })).toBe('wrong_signature');
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

describe('a mistake of the receiver is told plainly', () => {
  test('a parsed body', async () => {
    const parsed = JSON.parse(body) as string;
    await expect(verifyWebhook({ ...both, body: parsed })).rejects.toThrow(/parsed before verification/);
  });

  test('no secret, an empty one, or one in the place of the other', async () => {
    expect(await reasonOf({ body, headers: headersOf() })).toBe('no_secret');
    expect(await reasonOf({ ...both, secretKey: '' })).toBe('bad_secret');
    expect(await reasonOf({ ...both, secretKey: [] })).toBe('bad_secret');
    expect(await reasonOf({ ...both, secretKey: endpointSecret })).toBe('bad_secret');
    expect(await reasonOf({ ...both, endpointSecret: 'whsec_' })).toBe('bad_secret');
    expect(await reasonOf({ ...both, endpointSecret: 'whsec_not base64' })).toBe('bad_secret');
  });
});
