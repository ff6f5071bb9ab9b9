import { expect, test } from 'vitest';
import { priceAmount } from './price.ts';

test.each([
  ['12340.5', 'EUR', '12340.50'],
  ['10', 'USD', '10.00'],
  ['7480', 'JPY', '7480'],
  ['16.25', 'KWD', '16.250'],
])('%s %s is %s', (amount, currency, text) => {
  expect(priceAmount(amount, currency)).toBe(text);
});
