import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  advanceTestClock,
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { type Outcome, outcomes } from '../../rails/simulated/scenarios.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, linkPayment } from '../settlement/act.ts';
import { transfersOf } from '../settlement/received.ts';
import { simulate } from './simulate.ts';

const minute = 60;

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});
afterEach(async () => expect(await auditFindings(db)).toEqual([]));

const play = (outcome: Outcome) =>
  transaction(db, (tx) => simulate(tx, shop.deps, payment.id, { outcomes: [outcome] }));
const status = () => statusOf(shop, payment);
const events = () => eventTypesOf(db, payment);
const ledger = (asset?: string) => ledgerOf(db, payment, asset);
const confirmations = async () =>
  (await transfersOf(db, payment.id)).map((each) => `${each.state} ${each.confirmations}/${each.needed}`);

/** A payment of 10 USDC whose full amount was booked, as the ledger shows it. */
const settled = { external: -10_000_000n, business: 9_900_000n, fees: 100_000n };

describe('on a new payment', () => {
  test('success completes it at once and credits the amount less the fee', async () => {
    await play('success');
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['completed']);
    expect(await ledger()).toEqual(settled);
    expect(await confirmations()).toEqual(['final 3/3']);
  });

  test('failure fails it, and no money moves', async () => {
    await play('failure');
    expect(await status()).toBe('failed simulated');
    expect(await events()).toEqual(['failed']);
    expect(await ledger()).toEqual({});
  });

  test('expire abandons it at once', async () => {
    await play('expire');
    expect(await status()).toBe('cancelled abandoned');
    expect(await events()).toEqual(['abandoned']);
  });

  test('underpaid leaves it pending with half of the amount, and in appeal after its deadline', async () => {
    await play('underpaid');
    expect(await status()).toBe('pending');
    await advanceTestClock(shop, 10 * minute);
    expect(await status()).toBe('in-appeal part_paid');
    expect(await events()).toEqual(['pending', 'in_appeal']);
    expect(await ledger()).toEqual({ external: -5_000_000n, suspense: 5_000_000n });
  });

  test('overpaid completes it and owes the overpayment to the customer', async () => {
    await play('overpaid');
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['completed']);
    expect(await ledger()).toEqual({ ...settled, external: -15_000_000n, payable: 5_000_000n });
  });

  test('split pays one half at once and the other 30 seconds later', async () => {
    await play('split');
    expect(await status()).toBe('pending');
    await advanceTestClock(shop, 29);
    expect(await status()).toBe('pending');
    await advanceTestClock(shop, 1);
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['pending', 'completed']);
    expect(await ledger()).toEqual(settled);
    expect(await confirmations()).toEqual(['final 3/3', 'final 3/3']);
  });

  test('split pays the odd unit too', async () => {
    payment = await shop.create({ amount: 10.000001 });
    await play('split');
    await advanceTestClock(shop, 30);
    expect(await status()).toBe('completed');
    expect((await transfersOf(db, payment.id)).map(({ units }) => units)).toEqual([5_000_000n, 5_000_001n]);
  });

  test('late abandons it, and the money that comes afterwards completes it', async () => {
    await play('late');
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['abandoned', 'completed']);
    expect(await ledger()).toEqual(settled);
  });

  test('wrong_token leaves it open and keeps the money in suspense', async () => {
    await play('wrong_token');
    expect(await status()).toBe('unlinked');
    expect(await events()).toEqual([]);
    expect(await ledger()).toEqual({});
    expect(await ledger('pi')).toEqual({ external: -100_000_000n, suspense: 100_000_000n });
    await advanceTestClock(shop, 10 * minute);
    expect(await status()).toBe('cancelled abandoned');
  });

  test('slow shows a confirmation every 20 seconds and completes it with the third', async () => {
    await play('slow');
    for (const shown of ['seen 0/3', 'seen 1/3', 'seen 2/3']) {
      expect(await confirmations()).toEqual([shown]);
      expect(await status()).toBe('pending');
      expect(await ledger()).toEqual({});
      await advanceTestClock(shop, 20);
    }
    expect(await confirmations()).toEqual(['final 3/3']);
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['pending', 'completed']);
    expect(await ledger()).toEqual(settled);
  });

  test('reorg takes the money back after 30 seconds and fails it 30 minutes later', async () => {
    await play('reorg');
    expect(await confirmations()).toEqual(['seen 1/3']);
    await advanceTestClock(shop, 30);
    expect(await confirmations()).toEqual(['gone 0/3']);
    await advanceTestClock(shop, 30 * minute - 1);
    expect(await status()).toBe('pending');
    await advanceTestClock(shop, 1);
    expect(await status()).toBe('failed reorg');
    expect(await events()).toEqual(['pending', 'failed']);
    expect(await ledger()).toEqual({});
  });

  test('dispute completes it and disputes it; the funds stay where they are', async () => {
    await play('dispute');
    expect(await status()).toBe('in-appeal disputed');
    expect(await events()).toEqual(['completed', 'in_appeal']);
    expect(await ledger()).toEqual(settled);
  });
});

describe('in one leap of the test clock', () => {
  test.each<[Outcome, string, string[]]>([
    ['underpaid', 'in-appeal part_paid', ['pending', 'in_appeal']],
    ['split', 'completed', ['pending', 'completed']],
    ['slow', 'completed', ['pending', 'completed']],
    ['reorg', 'failed reorg', ['pending', 'failed']],
    ['wrong_token', 'cancelled abandoned', ['abandoned']],
  ])('of two days %s ends as it does step by step', async (outcome, end, sent) => {
    await play(outcome);
    await advanceTestClock(shop, 2 * 24 * 60 * minute);
    expect(await status()).toBe(end);
    expect(await events()).toEqual(sent);
  });
});

describe('on a payment that something has happened to', () => {
  test('success pays what an underpaid one still lacks', async () => {
    await play('underpaid');
    await play('success');
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual(settled);
  });

  test('success pays in the asset that the customer chose', async () => {
    await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-bep20'));
    await play('success');
    expect(await status()).toBe('completed');
    expect(await ledger('usdc-bep20')).toEqual({
      external: -(10n ** 19n),
      business: 99n * 10n ** 17n,
      fees: 10n ** 17n,
    });
  });

  test('success after an abandonment comes inside the late window and completes it', async () => {
    await play('expire');
    await play('success');
    expect(await status()).toBe('completed');
  });

  test('success after the late window brings it to appeal', async () => {
    await play('expire');
    await advanceTestClock(shop, 24 * 60 * minute + 1);
    await play('success');
    expect(await status()).toBe('in-appeal late');
  });

  test('success after a cancellation brings it to appeal, and the money waits in suspense', async () => {
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'customer'));
    await play('success');
    expect(await status()).toBe('in-appeal paid_after_end');
    expect(await ledger()).toEqual({ external: -10_000_000n, suspense: 10_000_000n });
  });

  test('late after a failure is refused, for there is no deadline left to miss', async () => {
    await play('failure');
    await expect(play('late')).rejects.toThrow('Not possible while the payment is failed');
  });

  test('dispute of a completed one takes no money', async () => {
    await play('success');
    await play('dispute');
    expect(await status()).toBe('in-appeal disputed');
    expect(await ledger()).toEqual(settled);
  });

  test('every outcome but dispute is refused once it is completed', async () => {
    await play('success');
    for (const outcome of outcomes.filter((each) => each !== 'dispute')) {
      await expect(play(outcome), outcome).rejects.toThrow('Not possible while the payment is completed');
    }
    expect(await events()).toEqual(['completed']);
    expect(await ledger()).toEqual(settled);
  });
});

test('a customer who pays the fee pays it on top, and the merchant gets the full amount', async () => {
  payment = await shop.create({ fee_payer: 'customer' });
  await play('success');
  expect(await ledger()).toEqual({ external: -10_100_000n, business: 10_000_000n, fees: 100_000n });
});

test.each(['PI', 'USDT', 'CSK'] as const)(
  'a payment in %s settles in its default asset',
  async (currency) => {
    payment = await shop.create({ currency });
    await play('success');
    const { code, scale } = shop.assets.defaultOf(currency);
    expect(await ledger(code)).toMatchObject({ external: -10n * 10n ** BigInt(scale) });
  },
);

test('ten customers who press success at once pay once', async () => {
  const presses = await Promise.allSettled(Array.from({ length: 10 }, () => play('success')));
  expect(presses.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await status()).toBe('completed');
  expect(await events()).toEqual(['completed']);
});
