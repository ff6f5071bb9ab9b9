import { expect, test } from 'vitest';
import { convertedOf, effectOf } from './effect.ts';

const item = {
  ...{ asset: 'usdc-base', network: 'Base', scale: 6, amount: '12', overpayment: '2', wrong_token: '0' },
  ...{ to_wallets: '0', available: '30', direct: '0', direct_overpayment: '0' },
};

test('an overpayment goes first, the rest is the business’s', () => {
  expect(effectOf('1.5', item)).toEqual({ own: '1.5', business: '0', direct: '0', balanceAfter: '30' });
  expect(effectOf('7', item)).toEqual({ own: '2', business: '5', direct: '0', balanceAfter: '25' });
  expect(effectOf('12', { ...item, wrong_token: '12' })?.business).toBe('0');
});

test('what is at the business’s own address comes last, and out of no balance', () => {
  const both = { ...item, direct: '7', available: '3' };
  expect(effectOf('6', both)).toEqual({ own: '2', business: '3', direct: '1', balanceAfter: '0' });
  const direct = { ...item, overpayment: '0', direct: '12', available: '0' };
  expect(effectOf('12', direct)).toEqual({ own: '0', business: '0', direct: '12', balanceAfter: '0' });
});

test.each(['', '0', '-1', '1e3', '12.1', 'all'])('%j is no amount that can be refunded', (amount) => {
  expect(effectOf(amount, item)).toBeNull();
});

const price = {
  ...{ currency: 'EUR', minor_digits: 2, paid_currency: 'USDC' as const },
  ...{ rate: '0.9376', rate_today: '0.9337' },
};

test('a part of the price is worth what the quote said, and something else today', () => {
  expect(convertedOf('10', price, item)).toEqual({ amount: '10.665529', today: '10.710078' });
  expect(convertedOf('10', { ...price, rate_today: null }, item)).toEqual({
    amount: '10.665529',
    today: null,
  });
});

test.each(['', '0', '0.001', '1,5', '-1', '1e3'])('%j is no part of a price', (part) => {
  expect(convertedOf(part, price, item)).toBeNull();
});
