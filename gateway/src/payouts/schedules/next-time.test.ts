import { expect, test } from 'vitest';
import { nextTime } from './next-time.ts';

test.each([
  ['day', '2026-11-23T11:00:00Z', '2026-11-24T00:00:00.000Z'],
  ['day', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['week', '2026-11-22T23:59:59Z', '2026-11-23T00:00:00.000Z'],
  ['week', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00.000Z'],
  ['month', '2026-12-31T23:00:00Z', '2027-01-01T00:00:00.000Z'],
] as const)('each %s after %s is %s', (every, now, next) => {
  expect(nextTime(every, new Date(now)).toISOString()).toBe(next);
});
