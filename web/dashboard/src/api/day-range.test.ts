import { expect, test } from 'vitest';
import { dayRange } from './day-range.ts';

test('a range of days ends when the last one is over', () => {
  expect(dayRange('2026-02-27', '2026-02-28', 'utc')).toEqual({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(dayRange(undefined, undefined, 'utc')).toEqual({ from: undefined, to: undefined });
});

test('days begin at midnight of this computer while its times are shown', () => {
  expect(dayRange('2026-03-28', '2026-03-29', 'local')).toEqual({
    from: new Date(2026, 2, 28).toISOString(),
    to: new Date(2026, 2, 30).toISOString(),
  });
});
