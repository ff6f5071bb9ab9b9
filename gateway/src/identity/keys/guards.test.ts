import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedIntegration, silentLog, type TestClock, testClock } from '../../../test/support/fixtures.ts';
import { createServer, envelope, sendEnvelope } from '../../kit/http/http.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { apiKeyOf, createCall, createGuards, idempotencyScope, type MailPurpose } from './guards.ts';
import { createKeyLookup } from './keys.ts';

let clock: TestClock;
let app: FastifyInstance;
const { db } = await testDatabase();
const shop = await seedIntegration(db);
beforeEach(() => {
  clock = testClock();
  app = appWith(true);
});
afterEach(() => app.close());

function appWith(rateLimit: boolean): FastifyInstance {
  const server = createServer({ log: silentLog, trustProxy: false });
  const guards = createGuards({ findKey: createKeyLookup(db, clock.now), now: clock.now, rateLimit });
  const scope = async (request: FastifyRequest) =>
    envelope(idempotencyScope(apiKeyOf(request), 'route'), null);
  server.get('/create', { onRequest: guards.key('create payments', createCall) }, scope);
  server.get('/fund', { onRequest: guards.key('fund users') }, scope);
  server.get('/unguarded', scope);
  server.get('/open', { onRequest: guards.keyIfAny }, async (request) =>
    envelope(request.apiKey?.mode ?? 'no key', null),
  );
  server.get('/info', { onRequest: guards.anyone }, async (request, reply) => {
    await guards.probe.check(request);
    if (request.query !== null && 'miss' in (request.query as object)) await guards.probe.count(request);
    return sendEnvelope(reply, envelope('Info', null));
  });
  server.get<{ Querystring: { to: string; for: MailPurpose } }>('/mail', async (request, reply) => {
    await guards.mail(request.query.to, request.query.for);
    return sendEnvelope(reply, envelope('Mail sent', null));
  });
  return server;
}

async function get(url: string, authorization?: string, remoteAddress = '192.0.2.1') {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await app.inject({ method: 'GET', url, headers, remoteAddress });
  const { message, error } = response.json<{ message: string; error?: string }>();
  return { status: response.statusCode, message, error, headers: response.headers };
}

/** A restricted test key. */
async function restricted(actions: string[] | null, addresses: string[] | null): Promise<string> {
  const secret = `sk_test_${randomBase62(32)}`;
  await db.query(
    `INSERT INTO api_keys (id, integration_id, mode, kind, hash, hint, allowed_actions, allowed_addresses, created_at)
     VALUES (gen_random_uuid(), $1, 'test', 'restricted', $2, 'hint', $3, $4, now())`,
    [shop.integrationId, createHash('sha256').update(secret).digest(), actions, addresses],
  );
  return `Bearer ${secret}`;
}

describe('a key', () => {
  test('that is valid lets its call through, in its own scope', async () => {
    expect(await get('/fund', `Bearer ${shop.secretKey}`)).toMatchObject({
      status: 200,
      message: `${shop.integrationId} test route`,
    });
    expect((await get('/fund', `Bearer ${shop.liveSecretKey}`)).message).toBe(
      `${shop.integrationId} live route`,
    );
  });

  test('may follow Bearer in another case and after more spaces', async () => {
    expect((await get('/fund', `bearer  ${shop.secretKey} `)).status).toBe(200);
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'sk_test_x', 'Bearer two words'])(
    'that is missing or malformed (%j) gets 401',
    async (header) => {
      expect(await get('/fund', header)).toMatchObject({
        status: 401,
        message: 'Missing or invalid Authorization header',
        error: 'authorization',
      });
      expect(await get('/create', header)).toMatchObject({
        status: 401,
        message: 'Unauthorized: Missing secret key',
      });
    },
  );

  test('that is unknown gets 401, which differs from a missing one when a payment is created', async () => {
    const unknown = `Bearer sk_test_${randomBase62(32)}`;
    expect(await get('/fund', unknown)).toMatchObject({
      status: 401,
      message: 'Missing or invalid Authorization header',
    });
    expect(await get('/create', unknown)).toMatchObject({
      status: 401,
      message: 'Unauthorized: Invalid secret key',
    });
  });

  test('where none is needed is known if it is sent, and refused if it is not valid', async () => {
    expect(await get('/open')).toMatchObject({ status: 200, message: 'no key' });
    expect(await get('/open', `Bearer ${shop.liveSecretKey}`)).toMatchObject({
      status: 200,
      message: 'live',
    });
    for (const header of [`Bearer sk_test_${randomBase62(32)}`, 'Bearer', 'Basic dXNlcjpwYXNz']) {
      expect(await get('/open', header)).toMatchObject({
        status: 401,
        message: 'Missing or invalid Authorization header',
      });
    }
  });

  test('on a route without a guard is a bug', async () => {
    expect(await get('/unguarded', `Bearer ${shop.secretKey}`)).toMatchObject({
      status: 500,
      message: 'Internal error',
    });
  });
});

describe('a restricted key', () => {
  test('does what it may, and the refusal says what it may not', async () => {
    const key = await restricted(['create payments'], null);
    expect((await get('/create', key)).status).toBe(200);
    expect(await get('/fund', key)).toMatchObject({ status: 403, message: 'This key may not fund users' });
  });

  test('needs no right where no key is needed, but comes from its addresses', async () => {
    expect((await get('/open', await restricted([], null))).status).toBe(200);
    expect((await get('/open', await restricted([], ['198.51.100.0/24']))).status).toBe(403);
  });

  test('that may do nothing does nothing', async () => {
    const key = await restricted([], null);
    expect(await get('/create', key)).toMatchObject({
      status: 403,
      message: 'This key may not create payments',
    });
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.0/24', '203.0.113.255'],
    ['0.0.0.0/0', '8.8.8.8'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['203.0.113.0/24', '::ffff:203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '2001:db8:0:0::1'],
    ['2001:db8::/32', '2001:db8:ffff::5'],
  ])('of %s lets %s through', async (range, address) => {
    expect((await get('/fund', await restricted(null, ['198.51.100.1', range]), address)).status).toBe(200);
  });

  test.each([
    ['203.0.113.9', '203.0.113.8'],
    ['203.0.113.0/24', '203.0.114.0'],
    ['203.0.113.9', '2001:db8::1'],
    ['2001:db8::/32', '2001:db9::1'],
    ['2001:db8::/32', '203.0.113.9'],
    ['::/0', '203.0.113.9'],
  ])('of %s keeps %s out', async (range, address) => {
    expect(await get('/fund', await restricted(null, [range]), address)).toMatchObject({
      status: 403,
      message: `Address ${address} is not allowed for this key`,
      error: 'address_not_allowed',
    });
  });

  test('of no address keeps everybody out', async () => {
    expect((await get('/fund', await restricted(null, []))).status).toBe(403);
  });
});

describe('the rate limit', () => {
  const many = (count: number, url: string, authorization?: string, address?: string) =>
    Promise.all(Array.from({ length: count }, () => get(url, authorization, address)));
  const statuses = (answers: { status: number }[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  test('of a key is in every answer', async () => {
    const { headers } = await get('/fund', `Bearer ${shop.secretKey}`);
    expect(headers).toMatchObject({
      'ratelimit-policy': '"key";q=2000;w=2',
      ratelimit: '"key";r=1999;t=1',
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  test('of a key is 2,000 at once and 1,000 a second after that', async () => {
    const key = `Bearer ${shop.secretKey}`;
    expect(statuses(await many(2_010, '/fund', key))).toEqual({ 200: 2_000, 429: 10 });
    expect(await get('/fund', `Bearer ${shop.liveSecretKey}`)).toMatchObject({ status: 200 });
    clock.advance(0.005);
    expect(statuses(await many(10, '/fund', key))).toEqual({ 200: 5, 429: 5 });
  });

  test('of an address without a key is 200 at once and 50 a second after that', async () => {
    expect(statuses(await many(210, '/info'))).toEqual({ 200: 200, 429: 10 });
    const refused = await get('/info');
    expect(refused).toMatchObject({ status: 429, message: 'Too many requests', error: 'rate_limited' });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"address";r=0;t=4' });
    expect((await get('/info', undefined, '192.0.2.2')).status).toBe(200);
    clock.advance(1);
    expect(statuses(await many(60, '/info'))).toEqual({ 200: 50, 429: 10 });
  });

  test('of a call that needs no key is that of the key, when a valid one is sent', async () => {
    const policyOf = async (authorization?: string) =>
      (await get('/info', authorization)).headers['ratelimit-policy'];
    expect(await policyOf()).toBe('"address";q=200;w=4');
    expect(await policyOf(`Bearer sk_test_${randomBase62(32)}`)).toBe('"address";q=200;w=4');
    expect(await policyOf(`Bearer ${shop.secretKey}`)).toBe('"key";q=2000;w=2');
  });

  test('of guesses is reached long before that of valid requests', async () => {
    for (let round = 0; round < 2; round++) {
      expect(statuses(await many(150, '/info?miss'))).toEqual({ 200: 150 });
      clock.advance(4);
    }
    // 300 guesses, less the 20 that came back in the first four seconds and 20 in the second.
    // One after the other: a guess is counted when it was answered.
    const guesses = [];
    for (let guess = 0; guess < 100; guess++) guesses.push(await get('/info?miss'));
    expect(statuses(guesses)).toEqual({ 200: 40, 429: 60 });
    expect((await get('/info')).headers).toMatchObject({ 'retry-after': '1' });
    clock.advance(1);
    expect(statuses(await many(20, '/info'))).toEqual({ 200: 20 });
  });

  test('of mails is five of a purpose to a recipient, then one in ten minutes, and ten of all purposes an hour', async () => {
    expect(statuses(await many(7, '/mail?to=ida@example.com&for=reset'))).toEqual({ 200: 5, 429: 2 });
    expect(statuses(await many(7, '/mail?to=ida@example.com&for=confirm'))).toEqual({ 200: 5, 429: 2 });
    expect(statuses(await many(1, '/mail?to=ida@example.com&for=invitation'))).toEqual({ 429: 1 });
    // No other mail keeps anybody from a reset.
    expect(statuses(await many(6, '/mail?to=olga@example.com&for=confirm'))).toEqual({ 200: 5, 429: 1 });
    expect(statuses(await many(6, '/mail?to=olga@example.com&for=change'))).toEqual({ 200: 5, 429: 1 });
    expect(statuses(await many(6, '/mail?to=olga@example.com&for=reset'))).toEqual({ 200: 5, 429: 1 });
    expect(statuses(await many(7, '/mail?to=jane@example.com&for=reset'))).toEqual({ 200: 5, 429: 2 });
    expect(statuses(await many(1, '/mail?to=john@example.com&for=reset'))).toEqual({ 200: 1 });
    clock.advance(600);
    expect(statuses(await many(2, '/mail?to=jane@example.com&for=reset'))).toEqual({ 200: 1, 429: 1 });
  });

  test('counts only after the key was checked, so that nobody uses up the limit of another', async () => {
    const answers = await many(2_100, '/fund', `Bearer sk_test_${randomBase62(32)}`);
    expect(statuses(answers)).toEqual({ 401: 2_100 });
    expect((await get('/fund', `Bearer ${shop.secretKey}`)).status).toBe(200);
  });

  test('may be turned off', async () => {
    await app.close();
    app = appWith(false);
    expect(statuses(await many(250, '/info?miss'))).toEqual({ 200: 250 });
    expect((await get('/info')).headers).not.toHaveProperty('ratelimit');
  });
});
