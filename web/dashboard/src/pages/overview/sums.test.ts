import { expect, test } from 'vitest';
import { daysIn, paidCoins, sumOf } from './sums.ts';

const day = {
  value: { amount: '20', without: [] },
  volume: { USDC: '12.5', PI: '3' },
  prices: [{ currency: 'EUR', count: 2, amount: '10' }],
};

test('a sum is of the value, of a coin or of prices, which are never added up', () => {
  expect(sumOf(day, { kind: 'value' })).toEqual({ amount: '20' });
  expect(sumOf(day, { kind: 'paid', code: 'PI' })).toEqual({ amount: '3' });
  expect(sumOf(day, { kind: 'paid', code: 'USDT' })).toEqual({ amount: '0' });
  expect(sumOf(day, { kind: 'asked', code: 'EUR' })).toEqual({ amount: '10', count: 2 });
  expect(sumOf(day, { kind: 'asked', code: 'JPY' })).toEqual({ amount: '0', count: 0 });
});

test('the coin of most days is first', () => {
  const other = { ...day, volume: { PI: '1' } };
  const days = [day, other].map((each) => ({ ...each, day: '', from: '', to: '', counts: {} }));
  expect(paidCoins({ volume: { USDC: '12.5', PI: '4' }, by_day: days })).toEqual(['PI', 'USDC']);
});

test('the days on which something came in are counted, and the one of most is named', () => {
  expect(daysIn(['0', '2.5', '0.0', '10', '1'])).toEqual({ count: 3, most: 3 });
  expect(daysIn(['0', '0.00'])).toBeNull();
});
