import { expect, test } from 'vitest';
import { dayRange } from './day-range.ts';

test('a range of days ends when the last one is over', () => {
  expect(dayRange('2026-02-27', '2026-02-28')).toEqual({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(dayRange(undefined, undefined)).toEqual({ from: undefined, to: undefined });
});
