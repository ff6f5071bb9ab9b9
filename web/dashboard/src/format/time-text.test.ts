import { expect, test } from 'vitest';
import { exactText, laterText, relativeText } from './time-text.ts';

const now = new Date('2026-11-20T21:00:00Z');

test.each([
  ['2026-11-20T20:59:58Z', 'just now'],
  ['2026-11-20T20:59:15Z', '45 sec. ago'],
  ['2026-11-20T20:58:01Z', '1 min. ago'],
  ['2026-11-20T21:05:30Z', 'in 5 min.'],
  ['2026-11-20T18:01:00Z', '2 hr. ago'],
  ['2026-11-19T20:00:00Z', 'yesterday'],
  ['2026-11-15T20:00:00Z', '5 days ago'],
  ['2026-11-01T20:00:00Z', '1 Nov 2026'],
])('%s is %s', (at, text) => {
  expect(relativeText(new Date(at), now, 'utc')).toBe(text);
});

test.each([
  [999, 'at once'],
  [2_400, '+2 s'],
  [65_000, '+1 min 5 s'],
  [120_000, '+2 min'],
  [3 * 3_600_000 + 59_000, '+3 h'],
  [50 * 3_600_000, '+2 d 2 h'],
])('%s ms later is %s', (ms, text) => {
  expect(laterText(ms)).toBe(text);
});

test('the exact time names its zone', () => {
  expect(exactText(new Date('2026-11-20T21:04:07Z'), 'utc')).toBe('20 Nov 2026, 21:04:07 UTC');
});
