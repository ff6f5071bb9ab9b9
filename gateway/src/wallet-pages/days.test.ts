import { describe, expect, test } from 'vitest';
import { LOCALES } from '../checkout/locale.ts';
import { daysOf, dayWords, monthLabel, monthsBetween, monthWords, spanOf } from './days.ts';

const now = new Date('2026-11-30T00:30:00Z');
const at = (time: string) => ({ created_at: new Date(time) });

test('rows are grouped by the day of UTC, in their order', () => {
  const rows = [at('2026-11-30T00:00:00Z'), at('2026-11-29T23:59:59Z'), at('2026-11-29T00:00:00Z')];
  expect(daysOf(rows).map(({ day, rows: own }) => [day, own.length])).toEqual([
    ['2026-11-30', 1],
    ['2026-11-29', 2],
  ]);
  expect(daysOf([])).toEqual([]);
});

describe('a day', () => {
  test.each([
    ['2026-11-30', 'Today'],
    ['2026-11-29', 'Yesterday'],
    ['2026-11-27', 'Friday, November 27'],
    ['2025-12-31', 'Wednesday, December 31, 2025'],
  ])('%s is %s', (day, words) => {
    expect(dayWords('en', day, now)).toBe(words);
  });

  test('and a month have words with Latin digits in every language', () => {
    const words = LOCALES.flatMap((locale) => [
      dayWords(locale, '2025-12-31', now),
      monthWords(locale, '2026-11'),
      monthLabel(locale),
    ]);
    expect(words.filter((each) => each === '' || /(?![0-9])\p{Nd}/u.test(each))).toEqual([]);
    expect(monthWords('de', '2026-03')).toBe('März 2026');
    expect(monthLabel('de')).toBe('Monat');
  });
});

describe('months', () => {
  test('go back to the first one, the newest first, and not further than ten years', () => {
    expect(monthsBetween(new Date('2026-09-30T23:59:59Z'), now)).toEqual(['2026-11', '2026-10', '2026-09']);
    expect(monthsBetween(now, now)).toEqual(['2026-11']);
    expect(monthsBetween(new Date('1990-01-01T00:00:00Z'), now)).toHaveLength(120);
  });

  test('begin and end at midnight UTC, and other texts are none', () => {
    expect(spanOf('2026-12')).toEqual({
      from: new Date('2026-12-01T00:00:00Z'),
      to: new Date('2027-01-01T00:00:00Z'),
    });
    for (const text of ['', '2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', "'"])
      expect(spanOf(text)).toBe(null);
  });
});
