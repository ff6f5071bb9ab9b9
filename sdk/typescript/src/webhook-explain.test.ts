import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
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
  refusalOf,
  secretKey,
} from '../test/webhook.ts';
import type { VerifyWebhookInput } from './verify-webhook.ts';

/** Whatever a program without types may pass. */
const refusalOfBody = (given: unknown) => refusalOf({ ...both, body: given as string });

const sorted = Object.fromEntries(Object.entries(event).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const escaped = body.replace('ë', '\\u00eb').replaceAll('/', '\\/');

describe('a body that is not raw', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['parsed to an object', JSON.parse(body), 'body_parsed', /parsed before verification.*express\.raw/],
    ['parsed to a list', [1], 'body_parsed', /parsed before verification/],
    ['written anew with spaces', JSON.stringify(event, null, 2), 'body_parsed', /written as JSON again/],
    ['written anew by sorted fields', JSON.stringify(sorted), 'body_parsed', /parse it afterwards/],
    ['written anew with escapes', escaped, 'body_parsed', /changed its bytes/],
    ['trimmed or padded', `${body}\n`, 'body_parsed', /changed its bytes/],
    ['still base64', Buffer.from(body).toString('base64'), 'body_decoded', /still base64.*decode it first/],
    ['decoded as Latin-1', Buffer.from(body).toString('latin1'), 'body_decoded', /Latin-1.*raw bytes/],
    ['absent', undefined, 'body_missing', /empty or was read already/],
    ['empty', '', 'body_missing', /read already/],
    ['a promise', Promise.resolve(body), 'body_missing', /await it/],
    ['a request', new Request('http://x', { method: 'POST', body }), 'body_missing', /request\.text\(\)/],
    ['a stream', new Response(body).body, 'body_missing', /not read yet/],
  ])('%s is named in the error', async (_, given, reason, words) => {
    expect(await refusalOfBody(given)).toMatchObject({ reason, message: expect.stringMatching(words) });
  });

  test('is never accepted for what it was', async () => {
    const onlyPlain = { body: JSON.stringify(sorted), headers: { 'x-signature': plain() }, secretKey };
    expect(await refusalOf(onlyPlain)).toMatchObject({ reason: 'body_parsed' });
    expect(await refusalOf({ ...onlyPlain, body: `${JSON.stringify(sorted)} ` })).toMatchObject({
      reason: 'body_parsed',
    });
  });
});

describe('a secret', () => {
  test.each<[string, Partial<Record<'secretKey' | 'endpointSecret', unknown>>, string, RegExp]>([
    ['nowhere', {}, 'no_secret', /Pass secretKey, endpointSecret or both/],
    ['of the endpoint for the key', { secretKey: endpointSecret }, 'bad_secret', /pass it as endpointSecret/],
    ['key for the endpoint', { endpointSecret: secretKey }, 'bad_secret', /pass it as secretKey/],
    ['that is empty', { secretKey: '' }, 'bad_secret', /is the environment variable set/],
    ['that is not set', { secretKey, endpointSecret: undefined }, 'bad_secret', /environment variable set/],
    ['that is null', { secretKey: null }, 'bad_secret', /is null/],
    ['in quotes', { secretKey: `"${secretKey}"` }, 'bad_secret', /quotes or white space/],
    ['with the end of its line', { endpointSecret: `${endpointSecret}\n` }, 'bad_secret', /white space/],
    ['list without any', { secretKey: [] }, 'bad_secret', /empty list/],
    [
      'list with a gap',
      { secretKey: [secretKey, undefined] },
      'bad_secret',
      /is the environment variable set/,
    ],
    ['without its bytes', { endpointSecret: 'whsec_' }, 'bad_secret', /not base64/],
    ['that is not base64', { endpointSecret: 'whsec_not base64' }, 'bad_secret', /not base64/],
    ['in base64url', { endpointSecret: 'whsec_ab-_' }, 'bad_secret', /base64url/],
  ])('%s is named in the error', async (_, secrets, reason, words) => {
    const input = { body, headers: headersOf(), ...secrets } as VerifyWebhookInput;
    const refusal = await refusalOf(input);
    expect(refusal).toMatchObject({ reason, message: expect.stringMatching(words) });
    for (const secret of [secretKey, endpointSecret]) expect(refusal.message).not.toContain(secret.slice(8));
  });
});

describe('a signature', () => {
  test('that alone is wrong points at its own secret', async () => {
    const oldKey = await refusalOf({ ...both, secretKey: otherKey });
    expect(oldKey.message).toMatch(
      /webhook-signature fits the body and X-Signature does not.*secretKey is an old one/,
    );
    const oldSecret = await refusalOf({ ...both, endpointSecret: otherSecret });
    expect(oldSecret.message).toMatch(/X-Signature fits.*endpointSecret is an old one/);
  });

  test.each(['hex', 'base64url'] as const)('written in %s is named as such', async (spelling) => {
    const signature = createHmac('sha256', secretKey).update(body).digest(spelling);
    const refusal = await refusalOf({ body, headers: { 'x-signature': signature }, secretKey });
    expect(refusal).toMatchObject({
      reason: 'wrong_signature',
      message: expect.stringMatching(/not in standard base64/),
    });
  });

  test('that fits nothing leaves both causes open', async () => {
    const { message } = await refusalOf({ body, headers: headersOf(), secretKey: otherKey });
    expect(message).toMatch(/check that secretKey belongs.*and that the body is the raw one/);
  });

  test('that is missing may have been removed on its way', async () => {
    const { message } = await refusalOf({ ...both, headers: {} });
    expect(message).toMatch(/x-signature is missing: .*a proxy in front of you removes it/);
  });
});

test('the error says by how much a clock is wrong', async () => {
  expect((await refusalOf({ ...both, now: after(3600) })).message).toMatch(/sent 3600 s ago.*clock is ahead/);
  expect((await refusalOf({ ...both, now: after(-400) })).message).toMatch(/400 s ahead.*clock is behind/);
});
