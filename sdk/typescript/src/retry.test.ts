import { describe, expect, test, vi } from 'vitest';
import { type Answer, failure, ok, serveAnswers } from '../test/server.ts';
import { type ClientOptions, createClient } from './client.ts';
import { FlorinError } from './errors.ts';
import { retryDelayMs } from './retry.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const payment = { amount: 1, currency: 'PI', payment_type: 'deposit' } as const;

async function createAgainst(answers: [Answer, ...Answer[]], options: Partial<ClientOptions> = {}) {
  const { baseUrl, received } = await serveAnswers(...answers);
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const client = createClient({ secretKey, baseUrl, sleep, ...options });
  const outcome = await client.payments.create(payment).catch((error: unknown) => error as FlorinError);
  return { outcome, received, waits };
}

describe('a fault that can pass', () => {
  test.each<[string, Answer]>([
    ['a reset before the headers', 'drop'],
    ['a reset in the headers', 'half headers'],
    ['a reset in the body', 'half body'],
    ['a body that ends too early', 'short body'],
    ['an empty answer', { body: '' }],
    ['a 500', failure(500, 'Internal error')],
    ['a 503', failure(503, 'Temporarily unavailable')],
    ['a proxy’s 502 page', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['a 429', failure(429, 'Too many requests')],
    ['a twin in flight', failure(409, 'Idempotency-Key is in use')],
  ])('%s is tried again with the same key and body', async (_name, answer) => {
    const { outcome, received, waits } = await createAgainst([answer, ok({ PaymentURL: 'there' })]);
    expect(outcome).toEqual({ PaymentURL: 'there', replayed: false });
    expect(received).toHaveLength(2);
    expect(received[1]!.headers['idempotency-key']).toBe(received[0]!.headers['idempotency-key']);
    expect(received[1]!.body).toBe(received[0]!.body);
    expect(waits).toHaveLength(1);
  });

  test('a server that does not answer ends the call after the timeout', async () => {
    // On a busy machine a good answer may be too late as well.
    const patience = { timeoutMs: 200, maxRetries: 50 };
    const { outcome, received } = await createAgainst(['silence', ok({})], patience);
    expect(outcome).toEqual({ replayed: false });
    expect(received.length).toBeGreaterThan(1);
  });

  test('the last error is thrown when the tries are used up', async () => {
    const { outcome, received, waits } = await createAgainst(['drop']);
    expect(outcome).toMatchObject({ name: 'FlorinError', slug: 'network_error', status: 0, tries: 3 });
    expect(received).toHaveLength(3);
    // Whoever catches it can go on with the same key.
    expect((outcome as FlorinError).idempotencyKey).toBe(received[0]!.headers['idempotency-key']);
    expect(waits[1]).toBeGreaterThan(waits[0]!);
  });
});

test.each([
  [400, 'amount must be a positive number'],
  [401, 'Unauthorized: Invalid secret key'],
  [409, 'payment_reference already exists'],
  [422, 'Idempotency-Key was used with a different request'],
])('a %i "%s" is final', async (status, message) => {
  const { outcome, received } = await createAgainst([failure(status, message), ok({})]);
  expect(outcome).toMatchObject({ status, message });
  expect(received).toHaveLength(1);
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    const limited = failure(429, 'Too many requests', { 'Retry-After': '7' });
    const { waits } = await createAgainst([limited, ok({})]);
    expect(waits).toEqual([7000]);
  });

  test('of more than a minute is handed to the caller', async () => {
    const limited = failure(429, 'Too many requests', { 'Retry-After': '3600' });
    const { outcome, received } = await createAgainst([limited, ok({})]);
    expect(outcome).toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(received).toHaveLength(1);
  });

  test('may be a date', async () => {
    const inHalfAMinute = new Date(Date.now() + 30_000).toUTCString();
    const busy = failure(503, 'Temporarily unavailable', { 'Retry-After': inHalfAMinute });
    const { waits } = await createAgainst([busy, ok({})]);
    expect(waits[0]).toBeGreaterThan(20_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
  });

  test('that is past, or no time at all, asks for nothing', async () => {
    const answers = [new Date(0).toUTCString(), 'soon', '-5'].map((text) =>
      failure(503, 'Temporarily unavailable', { 'Retry-After': text }),
    );
    const { waits } = await createAgainst([answers[0]!, answers[1]!, answers[2]!, ok({})], { maxRetries: 3 });
    expect(waits).toHaveLength(3);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1000);
  });
});

describe('the deadline of a call', () => {
  test('ends it before a wait that would pass it', async () => {
    const limited = failure(429, 'Too many requests', { 'Retry-After': '30' });
    const { outcome, received, waits } = await createAgainst([limited, ok({})], { deadlineMs: 29_000 });
    expect(outcome).toMatchObject({ status: 429, retryAfterSeconds: 30 });
    expect([received.length, waits.length]).toEqual([1, 0]);
  });

  test('cuts the time of a try short', async () => {
    const send = vi.fn(fetch);
    const { outcome } = await createAgainst(['silence'], { deadlineMs: 60, fetch: send });
    expect(outcome).toMatchObject({ slug: 'timeout', tries: 1 });
    expect(outcome).toHaveProperty('message', expect.stringMatching(/ within \d{1,2} ms$/));
    expect(send).toHaveBeenCalledTimes(1);
  });
});

test('a gateway that is not there is a network error', async () => {
  const { baseUrl, close } = await serveAnswers(ok({}));
  await close();
  const client = createClient({ secretKey, baseUrl, sleep: async () => {} });
  await expect(client.balances.list()).rejects.toMatchObject({ slug: 'network_error', tries: 3 });
});

test('the backoff doubles up to 8 s, and keeps to the upper half of its span', () => {
  const error = new FlorinError('Internal error', { status: 500, code: 5000, slug: 'internal' });
  const shortest = [0, 1, 2, 9].map((retry) => retryDelayMs(error, retry, 0));
  const longest = [0, 1, 2, 9].map((retry) => retryDelayMs(error, retry, 1));
  expect(shortest).toEqual([125, 250, 500, 4000]);
  expect(longest).toEqual([250, 500, 1000, 8000]);
});
