import { expect, test } from 'vitest';
import { moneyKey, plainAmounts, writeKey } from './ask.ts';

const to = `0x${'Ab'.repeat(20)}`;
const asked = { keyId: 'k', name: 'createPayout', purpose: undefined };
const order = (given: object, more: object = {}) =>
  moneyKey({ ...asked, arguments: plainAmounts({ asset: 'usdc-base', amount: '5', to, ...given }), ...more });

test.each([
  ['in another order', { to, amount: '5', asset: 'usdc-base' }],
  ['as a number', { amount: 5 }],
  ['with more zeros', { amount: '5.00' }],
  ['in other words', { description: 'wages', reason: 'as agreed' }],
  ['in other letters of the address', { to: to.toLowerCase() }],
])('the same order %s has the same key', (_, given) => {
  expect(order(given)).toBe(order({}));
});

test.each<[string, object, object?]>([
  ['of another amount', { amount: '50' }],
  ['to another address', { to: `0x${'cd'.repeat(20)}` }],
  ['with another memo', { memo: '1' }],
  ['for another purpose', {}, { purpose: 'the second box' }],
  ['by another key', {}, { keyId: 'other' }],
  ['by another tool', {}, { name: 'createRefund' }],
])('an order %s has another key', (_, given, more) => {
  expect(order(given, more)).not.toBe(order({}));
});

test('amounts are written in one form, and what is no amount stays as it is', () => {
  const payouts = [{ amount: '1.50' }, { amount: 100, price_amount: '2.0' }];
  expect(plainAmounts({ payouts, amount: '1e3', memo: '1.50' })).toEqual({
    payouts: [{ amount: '1.5' }, { amount: '100', price_amount: '2' }],
    ...{ amount: '1e3', memo: '1.50' },
  });
});

test('words are a part of other writes', () => {
  const key = (given: object) => writeKey({ ...asked, name: 'createPayment', arguments: { ...given } });
  expect(key({ b: 1, a: { d: 1, c: 2 } })).toBe(key({ a: { c: 2, d: 1 }, b: 1 }));
  expect(key({ description: 'a' })).not.toBe(key({ description: 'b' }));
});
