import { expect, test } from 'vitest';
import { formatOf, isZero } from './format.ts';

test.each([
  ['en', '1234.5', '1,234.50\u00a0USDC'],
  ['de', '1234.5', '1.234,50\u00a0USDC'],
  ['en', '0.000000000000000001', '0.000000000000000001\u00a0USDC'],
  ['en', '9007199254740993.000000000000000001', '9,007,199,254,740,993.000000000000000001\u00a0USDC'],
  ['ar', '25.5', '25.50\u00a0USDC'],
])('in %s the amount %s is written %s', (locale, decimal, written) => {
  expect(formatOf(locale).amount(decimal, 'USDC')).toBe(written);
});

test.each([
  ['en', '7480', 'JPY', '7,480\u00a0JPY'],
  ['de', '49.9', 'EUR', '49,90\u00a0EUR'],
  ['en', '16.25', 'KWD', '16.250\u00a0KWD'],
])('in %s a price of %s %s has the minor digits of its currency', (locale, decimal, currency, written) => {
  expect(formatOf(locale).amount(decimal, currency)).toBe(written);
});

test.each([
  ['0.937576601052', '0.937577'],
  ['231974424111.133784', '231,974,000,000'],
  ['1', '1'],
])('the rate %s is written with six digits that count', (rate, written) => {
  expect(formatOf('en').rate(rate)).toBe(written);
});

test('a time has its zone, and its date unless that is today', () => {
  const time = new Date('2026-11-20T18:05:00Z');
  expect(formatOf('de').time(time)).toBe('20. Nov. 2026, 18:05 UTC');
  expect(formatOf('de').time(time, new Date('2026-11-20T23:00:00Z'))).toBe('18:05 UTC');
  expect(formatOf('de').time(time, new Date('2026-11-21T00:00:00Z'))).toBe('20. Nov. 2026, 18:05 UTC');
});

test('zero is zero in every spelling, and nothing else is', () => {
  expect(['0', '0.0', '0.000000', '00'].every(isZero)).toBe(true);
  expect(['0.000001', '1', '10', '-1'].some(isZero)).toBe(false);
});

test.each([
  [1.35, '3 sec'],
  [9.2, '10 sec'],
  [32, '40 sec'],
  [768, '13 min'],
  [7200, '2 hr'],
])('%s seconds are about %s', (seconds, written) => {
  expect(formatOf('en').duration(seconds)).toBe(written);
});
