import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog, type TestClock, testClock } from '../../../test/support/fixtures.ts';
import { createServer, envelope, sendEnvelope } from '../../kit/http/http.ts';
import { type BucketPolicy, type Buckets, createTokenBuckets } from '../../kit/http/token-bucket.ts';
import { createGuards } from './guards.ts';

let clock: TestClock;
let app: FastifyInstance;
beforeEach(() => {
  clock = testClock();
  app = appWith();
});
afterEach(() => app.close());

function appWith(openBuckets?: (policy: BucketPolicy) => Buckets): FastifyInstance {
  const server = createServer({ log: silentLog, trustProxy: false });
  const guards = createGuards({ findKey: async () => null, now: clock.now, rateLimit: true, openBuckets });
  server.get('/info', { onRequest: guards.anyone }, async (request, reply) => {
    await guards.probe.check(request);
    if (request.query !== null && 'miss' in (request.query as object)) await guards.probe.count(request);
    return sendEnvelope(reply, envelope('Info', null));
  });
  server.get<{ Querystring: { account: string } }>('/sign-in', async (request, reply) => {
    const { account } = request.query;
    await guards.signIn(request, 'sign-in', { account, knownPlace: null });
    return sendEnvelope(reply, envelope('Signed in', null));
  });
  server.get<{ Querystring: { about: string } }>('/rare', async (request, reply) => {
    await guards.rare(request, request.query.about);
    return sendEnvelope(reply, envelope('Done', null));
  });
  return server;
}

async function get(url: string, remoteAddress = '192.0.2.1'): Promise<number> {
  return (await app.inject({ method: 'GET', url, remoteAddress })).statusCode;
}

const many = (count: number, url: string, address?: string) =>
  Promise.all(Array.from({ length: count }, () => get(url, address)));

const statuses = (answers: number[]) => {
  const counts: Record<number, number> = {};
  for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('the rate limit', () => {
  describe('of an IPv6 client', () => {
    const from = (host: number, network = 1) => `2001:db8:0:${network}::${host.toString(16)}`;
    const eachFromItsOwnHost = (count: number, url: string, network = 1) =>
      Promise.all(Array.from({ length: count }, (_, host) => get(url, from(host + 1, network))));

    test('holds for its whole /64 network, because all its addresses are those of one customer', async () => {
      expect(statuses(await eachFromItsOwnHost(210, '/info'))).toEqual({ 200: 200, 429: 10 });
      expect(statuses(await many(1, '/info', from(1, 2)))).toEqual({ 200: 1 });
    });

    test('holds for the whole network in guesses, too', async () => {
      for (let round = 0; round < 2; round++) {
        expect(statuses(await eachFromItsOwnHost(150, '/info?miss'))).toEqual({ 200: 150 });
        clock.advance(4);
      }
      for (let guess = 0; guess < 50; guess++) await get('/info?miss', from(guess + 1));
      expect(statuses(await many(1, '/info', from(1_000)))).toEqual({ 429: 1 });
      expect(statuses(await many(1, '/info', from(1, 2)))).toEqual({ 200: 1 });
    });

    test('holds for the whole network in sign-ins, whatever the accounts', async () => {
      const tries = Array.from({ length: 12 }, (_, index) =>
        get(`/sign-in?account=a${index}`, from(index + 1)),
      );
      expect(statuses(await Promise.all(tries))).toEqual({ 200: 10, 429: 2 });
    });

    test('that is an IPv4 client in IPv6 spelling is the limit of its IPv4 address', async () => {
      expect(statuses(await many(200, '/info', '::ffff:192.0.2.1'))).toEqual({ 200: 200 });
      expect(statuses(await many(1, '/info', '192.0.2.1'))).toEqual({ 429: 1 });
      expect(statuses(await many(1, '/info', '::ffff:192.0.2.2'))).toEqual({ 200: 1 });
    });
  });

  test('of sign-ins has a cap over all addresses and accounts, which no signed-in person meets', async () => {
    const elsewhere = (index: number) =>
      get(`/sign-in?account=c${index}`, `198.51.${index >> 8}.${index & 255}`);
    const crowd = await Promise.all(Array.from({ length: 610 }, (_, index) => elsewhere(index)));
    expect(statuses(crowd)).toEqual({ 200: 600, 429: 10 });
    expect(statuses(await many(1, '/rare?about=jane', '203.0.113.9'))).toEqual({ 200: 1 });
    clock.advance(1);
    const later = await Promise.all(Array.from({ length: 30 }, (_, index) => elsewhere(1_000 + index)));
    expect(statuses(later)).toEqual({ 200: 20, 429: 10 });
  });

  test('that one address or account has used up takes nothing from the cap over all', async () => {
    await many(1_000, '/sign-in?account=jane');
    expect(statuses(await many(1, '/sign-in?account=john', '192.0.2.9'))).toEqual({ 200: 1 });
  });

  test('keeps short keys, however long the name is that somebody sends', async () => {
    await app.close();
    const keys: string[] = [];
    app = appWith((policy) => {
      const buckets = createTokenBuckets(policy);
      const take: Buckets['take'] = (key, nowMs) => {
        keys.push(key);
        return buckets.take(key, nowMs);
      };
      return { ...buckets, take };
    });
    const name = 'n'.repeat(8_000);
    for (const account of [`${name}1`, `${name}2`]) await get(`/sign-in?account=${account}`);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(new Set(keys.filter((key) => key.startsWith('long '))).size).toBe(2);
  });
});
