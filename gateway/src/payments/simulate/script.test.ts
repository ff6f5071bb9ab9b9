import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  advanceTestClock,
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  paymentById,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment } from '../settlement/act.ts';
import { transfersOf } from '../settlement/received.ts';
import { readWish } from './schema.ts';
import { plannedScript } from './script-view.ts';
import { simulate } from './simulate.ts';

// Outcomes that are combined, with amounts and delays.

const minute = 60;

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});
afterEach(async () => expect(await auditFindings(db)).toEqual([]));

const play = (outcome: string | string[], terms: { amount?: string; delay_seconds?: number } = {}) =>
  transaction(db, (tx) => simulate(tx, shop.deps, payment.id, readWish({ outcome, ...terms })));
const advance = (seconds: number) => advanceTestClock(shop, seconds);
const status = () => statusOf(shop, payment);
const events = () => eventTypesOf(db, payment);
const sent = async () =>
  (await transfersOf(db, payment.id)).map(({ asset, units, state }) => `${units} ${asset} ${state}`);

/** What is planned, as `seconds: what amount asset`. */
async function planned(outcome: string | string[], terms: object = {}): Promise<string[]> {
  const now = await paymentById(db, payment.id);
  const { steps } = await plannedScript(db, shop.deps, now, readWish({ outcome, ...terms }));
  return steps.map(({ after_seconds, what, transfer }) =>
    [`${after_seconds}:`, what, transfer?.amount, transfer?.asset].filter(Boolean).join(' '),
  );
}

describe('exchange_fee', () => {
  const tolerant = async (percent: number, most = '5.00') => {
    const other = await openShop(db, { shortTolerance: { percent, most } });
    return await other.create({ amount: 33.333333 });
  };

  test('keeps a hundredth, or all that may be missing where that is less', async () => {
    const at = async (of: Payment) => {
      payment = of;
      return await planned('exchange_fee');
    };
    expect(await at(payment)).toEqual(['0: final 9.9 usdc-erc20']);
    expect(await at(await tolerant(1))).toEqual(['0: final 33 usdc-erc20']);
    expect(await at(await tolerant(0.1))).toEqual(['0: final 33.3 usdc-erc20']);
    expect(await at(await tolerant(5, '0.01'))).toEqual(['0: final 33.323333 usdc-erc20']);
  });

  test('takes an amount that is less than what lacks', async () => {
    await expect(play('exchange_fee', { amount: '10' })).rejects.toThrow(
      'must be less than the 10 USDC that the payment lacks, or leave exchange_fee out',
    );
    await play('exchange_fee', { amount: '9.7' });
    expect(await sent()).toEqual(['9700000 usdc-erc20 final']);
    await advance(10 * minute);
    expect(await status()).toBe('in-appeal part_paid');
  });
});

describe('the three outcomes beyond the contract', () => {
  test('dust is the smallest unit, which leaves the payment as it was', async () => {
    await play('dust');
    expect(await sent()).toEqual(['1 usdc-erc20 final']);
    expect(await status()).toBe('unlinked');
    await advance(10 * minute);
    expect(await status()).toBe('cancelled abandoned');
  });

  test('two_networks adds up what comes on both', async () => {
    await play('two_networks');
    expect(await status()).toBe('pending');
    await advance(30);
    expect(await sent()).toEqual(['5000000 usdc-erc20 final', '5000000000000000000 usdc-bep20 final']);
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment, 'usdc-bep20')).toMatchObject({ external: -5n * 10n ** 18n });
  });

  test('two_networks pays an odd unit too', async () => {
    payment = await shop.create({ amount: 10.000001 });
    await play('two_networks');
    await advance(30);
    expect(await sent()).toEqual(['5000000 usdc-erc20 final', '5000001000000000000 usdc-bep20 final']);
    expect(await status()).toBe('completed');
  });

  test('two_networks is refused for a currency that has one', async () => {
    payment = await shop.create({ currency: 'PI' });
    await expect(play('two_networks')).rejects.toThrow(
      'Not possible while the payment is unlinked: there is no other network for PI',
    );
  });

  test('two_currencies pays one half, and keeps the other in suspense', async () => {
    await play('two_currencies');
    await advance(30);
    expect(await sent()).toEqual(['5000000 usdc-erc20 final', '50000000 pi final']);
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ external: -50_000_000n, suspense: 50_000_000n });
    await advance(10 * minute);
    expect(await status()).toBe('in-appeal part_paid');
  });
});

describe('combined', () => {
  test('underpaid, slow and late come after the deadline, step by step, and too little', async () => {
    await play(['underpaid', 'slow', 'late']);
    expect(await status()).toBe('cancelled abandoned');
    expect(await sent()).toEqual(['5000000 usdc-erc20 seen']);
    await advance(60);
    expect(await sent()).toEqual(['5000000 usdc-erc20 final']);
    expect(await status()).toBe('cancelled abandoned');
    await advance(24 * 60 * minute);
    expect(await status()).toBe('in-appeal late');
  });

  test('split and reorg lose each transfer half a minute after it was seen', async () => {
    await play(['split', 'reorg']);
    await advance(30);
    expect(await sent()).toEqual(['5000000 usdc-erc20 gone', '5000000 usdc-erc20 seen']);
    await advance(30);
    expect(await sent()).toEqual(['5000000 usdc-erc20 gone', '5000000 usdc-erc20 gone']);
    await advance(30 * minute);
    expect(await status()).toBe('failed reorg');
  });

  test('slow and dispute are disputed once the last confirmation completed it', async () => {
    await play(['dispute', 'slow']);
    await advance(59);
    expect(await status()).toBe('pending');
    await advance(1);
    expect(await status()).toBe('in-appeal disputed');
    expect(await events()).toEqual(['pending', 'completed', 'in_appeal']);
  });

  test('overpaid and two_networks come to one and a half times the amount', async () => {
    expect(await planned(['overpaid', 'two_networks'])).toEqual([
      '0: final 7.5 usdc-erc20',
      '30: final 7.5 usdc-bep20',
    ]);
  });
});

describe('with a delay', () => {
  test('nothing happens until it is over', async () => {
    await play('success', { delay_seconds: 45 });
    expect(await status()).toBe('unlinked');
    await advance(44);
    expect(await status()).toBe('unlinked');
    await advance(1);
    expect(await status()).toBe('completed');
  });

  test.each([
    ['failure', 'failed simulated'],
    ['expire', 'cancelled abandoned'],
  ])('%s comes when it is over', async (outcome, end) => {
    await play(outcome, { delay_seconds: 45 });
    await advance(44);
    expect(await status()).toBe('unlinked');
    await advance(1);
    expect(await status()).toBe(end);
  });

  test('failure passes over a payment that was paid meanwhile', async () => {
    await play('failure', { delay_seconds: 45 });
    await play('success');
    await advance(45);
    expect(await status()).toBe('completed');
  });

  test('late expires at once, and its money comes after the delay', async () => {
    expect(await planned('late', { delay_seconds: 3600 })).toEqual([
      '0: expire',
      '3600: final 10 usdc-erc20',
    ]);
    await play('late', { delay_seconds: 25 * 60 * minute });
    expect(await status()).toBe('cancelled abandoned');
    await advance(25 * 60 * minute);
    expect(await status()).toBe('in-appeal late');
  });

  test('late marks the payment as late, whether its money comes at once or later', async () => {
    const unusual = async () => (await paymentById(db, payment.id)).unusual;
    await play('late');
    expect(await unusual()).toEqual(['late']);
    payment = await shop.create();
    await play('late', { delay_seconds: 60 });
    await advance(60);
    expect(await unusual()).toEqual(['late']);
  });

  test('what comes after the late window is too late, also in a leap that goes far beyond it', async () => {
    await play('expire');
    await advance(25 * 60 * minute);
    await play('success', { delay_seconds: 10 * minute });
    await advance(12 * 60 * minute);
    expect(await status()).toBe('in-appeal late');
  });

  test('what would come after the deadline finds the payment abandoned, also in one leap', async () => {
    await play('failure', { delay_seconds: 11 * minute });
    await advance(24 * 60 * minute);
    expect(await status()).toBe('cancelled abandoned');
  });
});

describe('with an amount', () => {
  test('success sends exactly that', async () => {
    await play('success', { amount: '2.5' });
    expect(await sent()).toEqual(['2500000 usdc-erc20 final']);
    expect(await status()).toBe('pending');
    await play('success', { amount: '8' });
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment)).toMatchObject({ payable: 500_000n });
  });

  test('split sends it in two parts, and wrong_token in the other currency', async () => {
    expect(await planned('split', { amount: '3.000001' })).toEqual([
      '0: final 1.5 usdc-erc20',
      '30: final 1.500001 usdc-erc20',
    ]);
    expect(await planned('wrong_token', { amount: '4' })).toEqual(['0: final 4 pi']);
  });

  test('a completed payment is paid once more, and owes it back', async () => {
    await play('success');
    await play('success', { amount: '10' });
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment)).toMatchObject({ payable: 10_000_000n });
  });

  test.each([
    ['underpaid', '10', 'must be less than the 10 USDC that the payment lacks, or leave underpaid out'],
    ['overpaid', '10', 'must be more than the 10 USDC that the payment lacks, or leave overpaid out'],
    [
      'dispute',
      '9',
      'must be at least the 10 USDC that the payment lacks, for only a paid one can be disputed',
    ],
    ['failure', '1', 'nothing is sent with this outcome: leave it out'],
    ['dust', '1', 'dust is the smallest unit that there is: leave it out'],
    ['success', '1.0000001', 'must have at most 6 decimals in USDC'],
  ])('%s of %s is refused', async (outcome, amount, why) => {
    await expect(play(outcome, { amount })).rejects.toThrow(`amount is invalid: ${why}`);
    expect(await sent()).toEqual([]);
  });
});

describe('a refusal says what is the matter', () => {
  test.each([
    ['success', 'nothing is missing; name an amount to send more'],
    ['failure', 'only one that is unlinked, linked or pending can fail'],
    ['late', 'only one that is unlinked, linked or pending can expire'],
  ])('%s of a completed payment', async (outcome, why) => {
    await play('success');
    await expect(play(outcome)).rejects.toThrow(`Not possible while the payment is completed: ${why}`);
    await expect(planned(outcome)).rejects.toThrow(why);
  });

  test('dispute of one that was cancelled, where the money comes to appeal', async () => {
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'merchant'));
    await expect(play('dispute')).rejects.toThrow('Not possible while the payment is in-appeal');
    expect(await status()).toBe('cancelled merchant');
    expect(await sent()).toEqual([]);
  });
});
