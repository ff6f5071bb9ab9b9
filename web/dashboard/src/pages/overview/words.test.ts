import { expect, test } from 'vitest';
import { compactText, longDay, rateText, shortDay, spanText } from './words.ts';

test('a day keeps its name in every time zone of the browser', () => {
  expect([shortDay('2026-11-01'), longDay('2026-11-01')]).toEqual(['1 Nov', '1 Nov 2026']);
});

test.each([
  [null, '–'],
  [0, '0%'],
  [0.98249, '98.2%'],
  [1, '100%'],
])('a rate of %s reads %s', (rate, text) => expect(rateText(rate)).toBe(text));

test.each([
  [null, '–'],
  [48.4, '48 s'],
  [59.7, '1 min'],
  [125, '2 min 5 s'],
  [3_600, '1 h'],
  [4_200, '1 h 10 min'],
])('%s seconds read %s', (seconds, text) => expect(spanText(seconds)).toBe(text));

test('axes shorten thousands', () => expect(compactText(1_234_567)).toBe('1.2M'));
