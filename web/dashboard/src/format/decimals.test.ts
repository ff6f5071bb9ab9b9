import { expect, test } from 'vitest';
import { isSome, minus, plus, quotient } from './decimals.ts';

test.each([
  ['100', '10.5', '89.5'],
  ['0.3', '0.1', '0.2'],
  ['10', '10.00', '0'],
  ['1', '2.25', '-1.25'],
  ['123456789012345678.000000000000000001', '0.000000000000000001', '123456789012345678'],
])('%s - %s = %s', (one, other, rest) => {
  expect(minus(one, other)).toBe(rest);
});

test('zero is zero however it is written', () => {
  expect([isSome('0'), isSome('0.000'), isSome('0.01'), isSome('-5')]).toEqual([false, false, true, true]);
});

test.each([
  ['12.5', '0.25', '12.75'],
  ['1', '2', '3'],
  ['0.5', '0.5', '1'],
  ['-3.1', '3', '-0.1'],
])('%s + %s = %s', (one, other, sum) => {
  expect(plus(one, other)).toBe(sum);
});

test.each([
  ['10', '0.9376', 6, '10.665529'],
  ['10.01', '0.8', 6, '12.5125'],
  ['0.01', '2', 2, '0'],
  ['1000', '0.000000000001', 7, '1000000000000000'],
])('%s / %s, rounded down at %i decimals, is %s', (one, other, scale, result) => {
  expect(quotient(one, other, scale)).toBe(result);
});
