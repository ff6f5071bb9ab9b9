import { describe, expect, test } from 'vitest';
import { judgeAttempt } from './retry.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const middle = () => 0.5;
const answered = (statusCode: number | null, retryAfter?: string) => ({ statusCode, retryAfter });
const waitOf = (attempt: number, random = middle, answer = answered(500)) => {
  const verdict = judgeAttempt(attempt, answer, random, now);
  return verdict.status === 'pending' ? verdict.waitSeconds : verdict.status;
};

test.each([200, 201, 204, 299])('%i is success', (code) => {
  expect(waitOf(1, middle, answered(code))).toBe('delivered');
});

test.each([null, 199, 300, 302, 400, 404, 429, 500, 503])('%s is tried again', (code) => {
  expect(waitOf(1, middle, answered(code))).toBe(60);
});

test('ten retries follow the schedule, and then the delivery has failed', () => {
  const day = 86_400;
  const attempts = Array.from({ length: 11 }, (_, index) => waitOf(index + 1));
  expect(attempts).toEqual([60, 300, 1800, 7200, day, day, day, day, day, day, 'failed']);
});

test('every wait varies by a tenth to either side', () => {
  expect(waitOf(1, () => 0)).toBeCloseTo(54);
  expect(waitOf(1, () => 0.999999)).toBeCloseTo(66, 2);
});

test('410 ends a delivery at once', () => {
  expect(waitOf(1, middle, answered(410))).toBe('failed');
});

describe('Retry-After', () => {
  test.each([
    ['120', 120],
    ['0', 1],
    ['999999', 86_400],
    ['Thu, 01 Jan 2026 00:10:00 GMT', 600],
    ['Thursday, 01-Jan-26 00:10:00 GMT', 600],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1],
  ])('%j asks for %i s, between a second and a day', (value, seconds) => {
    expect(waitOf(1, () => 0, answered(503, value))).toBe(seconds);
    expect(waitOf(1, () => 0, answered(429, value))).toBe(seconds);
  });

  test.each(['soon', '-5', '1.5', '', undefined])('%j asks for nothing: the schedule holds', (value) => {
    expect(waitOf(1, middle, answered(503, value))).toBe(60);
  });

  test('counts for 429 and 503 alone', () => {
    expect(waitOf(1, middle, answered(500, '7'))).toBe(60);
  });

  test('is never undercut by the jitter', () => {
    expect(waitOf(1, () => 0, answered(429, '100'))).toBe(100);
    expect(waitOf(1, () => 0.999999, answered(429, '100'))).toBeCloseTo(110, 2);
  });

  test('gives no further try after the last one', () => {
    expect(waitOf(11, middle, answered(503, '5'))).toBe('failed');
  });
});
