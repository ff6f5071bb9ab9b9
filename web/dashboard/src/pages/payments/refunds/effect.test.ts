import { expect, test } from 'vitest';
import { effectOf } from './effect.ts';

const item = {
  ...{ asset: 'usdc-base', network: 'Base', amount: '12', overpayment: '2', wrong_token: '0' },
  ...{ to_wallets: '0', available: '30' },
};

test('an overpayment goes first, the rest is the business’s', () => {
  expect(effectOf('1.5', item)).toEqual({ own: '1.5', business: '0', balanceAfter: '30' });
  expect(effectOf('7', item)).toEqual({ own: '2', business: '5', balanceAfter: '25' });
  expect(effectOf('12', { ...item, wrong_token: '12' })?.business).toBe('0');
});

test.each(['', '0', '-1', '1e3', '12.1', 'all'])('%j is no amount that can be refunded', (amount) => {
  expect(effectOf(amount, item)).toBeNull();
});
