import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { endpointKey, standardSignature } from '../../kit/net/standard-webhooks.ts';
import { bodySignature, newEndpointSecret } from './sign.ts';

const signingKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const body = Buffer.from('{"event_id":"1","customer_reference":"Ünïcode ✓"}');
const id = '018f0000-0000-7000-8000-000000000000';

function headersOf(secrets: string[], timestamp: number, content = body) {
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': standardSignature({ id, timestamp, body: content }, secrets.map(endpointKey)),
  };
}
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('X-Signature', () => {
  test('is the base64 HMAC-SHA256 of the raw bytes under the whole key, 44 characters long', () => {
    const signature = bodySignature(body, Buffer.from(signingKey));
    expect(signature).toHaveLength(44);
    expect(signature).toBe(createHmac('sha256', signingKey).update(body).digest('base64'));
  });

  test('changes with any byte of the body', () => {
    const changed = Buffer.from(body);
    changed[20]! ^= 1;
    expect(bodySignature(changed, Buffer.from(signingKey))).not.toBe(
      bodySignature(body, Buffer.from(signingKey)),
    );
  });
});

describe('webhook-signature', () => {
  const secret = newEndpointSecret();

  test('is accepted by the Standard Webhooks library', () => {
    const verified = new Webhook(secret).verify(body.toString(), headersOf([secret], nowSeconds()));
    expect(verified).toEqual(JSON.parse(body.toString()));
  });

  test('is the HMAC of id, timestamp and body, as computed from the standard alone', () => {
    const timestamp = 1_700_000_000;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headersOf([secret], timestamp)['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('is refused by the library when a byte of the body or the id changed', () => {
    const headers = headersOf([secret], nowSeconds());
    const verifier = new Webhook(secret);
    expect(() => verifier.verify(body.toString().replace('"1"', '"2"'), headers)).toThrow(/No matching/);
    expect(() => verifier.verify(body.toString(), { ...headers, 'webhook-id': 'other' })).toThrow(
      /No matching/,
    );
  });

  test('is refused by the library when it was made more than five minutes ago', () => {
    const headers = headersOf([secret], nowSeconds() - 301);
    expect(() => new Webhook(secret).verify(body.toString(), headers)).toThrow(/too old/);
  });

  test('holds one signature for each secret while one is being rolled', () => {
    const next = newEndpointSecret();
    const headers = headersOf([next, secret], nowSeconds());
    expect(() => new Webhook(secret).verify(body.toString(), headers)).not.toThrow();
    expect(() => new Webhook(next).verify(body.toString(), headers)).not.toThrow();
    expect(() => new Webhook(newEndpointSecret()).verify(body.toString(), headers)).toThrow(/No matching/);
  });
});
