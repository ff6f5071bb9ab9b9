import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBuckets, rateLimitHeaders } from './token-bucket.ts';

const policy = { name: 'key', perSecond: 2, burst: 5 };
const start = Date.parse('2026-03-01T12:00:00Z');

function taken(times: number, atMs: number, buckets = createTokenBuckets(policy), key = 'a'): number {
  return Array.from({ length: times }, () => buckets.take(key, atMs)).filter(({ allowed }) => allowed).length;
}

test('a burst is let through, and then no request', () => {
  expect(taken(10, start)).toBe(5);
});

test('an empty bucket refills at its rate and never above its burst', () => {
  const buckets = createTokenBuckets(policy);
  expect(taken(10, start, buckets)).toBe(5);
  expect(taken(10, start + 499, buckets)).toBe(0);
  expect(taken(10, start + 500, buckets)).toBe(1);
  expect(taken(10, start + 2_000, buckets)).toBe(3);
  expect(taken(10, start + 3_600_000, buckets)).toBe(5);
});

test('one key never empties the bucket of another', () => {
  const buckets = createTokenBuckets(policy);
  expect(taken(10, start, buckets, 'a')).toBe(5);
  expect(taken(10, start, buckets, 'b')).toBe(5);
});

test('over any time no more than the burst and the refill are let through', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 }), (pauses) => {
      const buckets = createTokenBuckets(policy);
      let now = start;
      let allowed = 0;
      for (const pause of pauses) {
        now += pause;
        if (buckets.take('a', now).allowed) allowed += 1;
      }
      expect(allowed).toBeLessThanOrEqual(policy.burst + ((now - start) / 1000) * policy.perSecond);
    }),
  );
});

test('a client that waits for Retry-After is let through', () => {
  const buckets = createTokenBuckets({ ...policy, perSecond: 0.1 });
  while (buckets.take('a', start).allowed);
  const { retrySeconds } = buckets.take('a', start);
  expect(retrySeconds).toBe(10);
  expect(buckets.take('a', start + retrySeconds * 1000).allowed).toBe(true);
});

test('reading the state takes no token', () => {
  const buckets = createTokenBuckets(policy);
  for (let n = 0; n < 20; n++)
    expect(buckets.peek('a', start)).toMatchObject({ allowed: true, remaining: 5 });
  expect(taken(10, start, buckets)).toBe(5);
  expect(buckets.peek('a', start)).toMatchObject({ allowed: false, remaining: 0, retrySeconds: 1 });
});

test('a clock that is set back takes no tokens away', () => {
  const buckets = createTokenBuckets(policy);
  expect(taken(1, start, buckets)).toBe(1);
  expect(taken(10, start - 3_600_000, buckets)).toBe(4);
  expect(taken(10, start - 3_600_000 + 500, buckets)).toBe(1);
});

test('an empty bucket is kept while any number of other keys come', () => {
  const buckets = createTokenBuckets(policy);
  taken(10, start, buckets, 'known');
  for (let n = 0; n < 25_000; n++) buckets.take(`stranger ${n}`, start);
  expect(buckets.peek('known', start).allowed).toBe(false);
});

test('the headers name the policy, the tokens left, and when to try again', () => {
  const buckets = createTokenBuckets(policy);
  expect(rateLimitHeaders(policy, buckets.take('a', start))).toEqual({
    'ratelimit-policy': '"key";q=5;w=3',
    ratelimit: '"key";r=4;t=1',
  });
  while (buckets.take('a', start).allowed);
  expect(rateLimitHeaders(policy, buckets.take('a', start))).toEqual({
    'ratelimit-policy': '"key";q=5;w=3',
    ratelimit: '"key";r=0;t=3',
    'retry-after': '1',
  });
});
