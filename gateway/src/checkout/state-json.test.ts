import { describe, expect, test } from 'vitest';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { stateOf } from './state-json.ts';

describe('the state', () => {
  test('has the fields of the contract', () => {
    expect(stateOf(PAYMENTS.linked)).toEqual({
      payment_status: 'linked',
      amount: '25.5',
      currency: 'USDC',
      fee_payer: 'merchant',
      amount_due: '25.5',
      amount_received: '0',
      deadline: '2026-11-20T18:52:00.000Z',
      destinations: [
        {
          asset: 'usdc-base',
          network: 'Base',
          address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
          memo: null,
          amount: '25.5',
        },
      ],
      transfers: [],
      refunds: [],
      owed: [],
      sequence: 2,
    });
  });

  test('lists transfers with their confirmations, without those that are gone', () => {
    expect(stateOf(PAYMENTS.seen).transfers).toEqual([
      {
        transaction: '0x9c1f2a7be04d6c58a3310f7d2b9e64c1a05f8837d1c2b4e69f70a8d3c5e1b264',
        amount: '25.5',
        confirmations: 1,
        needed: 3,
      },
    ]);
    expect(stateOf(PAYMENTS['failed-dropped']).transfers).toEqual([]);
  });

  test('has the refunds, and what is owed in each asset whether a refund of it exists or not', () => {
    const line = { asset: 'usdc-base', network: 'Base', currency: 'USDC' };
    const rest = {
      units: 1n,
      hasMemo: false,
      signers: [],
      belowMinimum: null,
      otherAddress: 'accepted' as const,
    };
    const refund = {
      ...line,
      id: 'r1',
      amount: '2.5',
      to: null,
      memo: null,
      transaction: null,
      explorerUrl: null,
    };
    const state = stateOf({
      ...PAYMENTS['completed-overpaid'],
      refunds: [{ ...refund, status: 'awaiting_destination' }],
      owed: [
        { ...line, ...rest, refundId: 'r1', amount: '2.5' },
        { ...line, ...rest, refundId: null, amount: '4.500001' },
        { ...line, ...rest, asset: 'usdc-bep20', refundId: null, amount: '1' },
      ],
    });
    expect(state.refunds).toEqual([
      {
        ...{ id: 'r1', status: 'awaiting_destination', asset: 'usdc-base', amount: '2.5' },
        ...{ to: null, transaction: null },
      },
    ]);
    expect(state.owed).toEqual([
      { asset: 'usdc-base', amount: '7.000001' },
      { asset: 'usdc-bep20', amount: '1' },
    ]);
  });

  test('never has the token', () => {
    for (const payment of Object.values(PAYMENTS)) {
      expect(JSON.stringify(stateOf(payment))).not.toContain(payment.token);
    }
  });
});

describe('the return address', () => {
  test.each([
    ['completed', 'https://shop.example/thanks?order=1001'],
    ['failed', 'https://shop.example/basket'],
    ['cancelled', 'https://shop.example/basket'],
    ['expired', 'https://shop.example/basket'],
    ['linked', undefined],
    ['seen', undefined],
    ['in-appeal-disputed', undefined],
  ] as const)('of %s is %s', (name, address) => {
    expect(stateOf(PAYMENTS[name]).return_url).toBe(address);
  });

  test('is absent when the merchant gave none, or one that must not become a link', () => {
    expect('return_url' in stateOf({ ...PAYMENTS.completed, successUrl: null })).toBe(false);
    expect('return_url' in stateOf({ ...PAYMENTS.completed, successUrl: 'javascript:alert(1)' })).toBe(false);
  });
});
