import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askPrice, setEuroRate } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  paymentById,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { roundTrips } from '../../../test/support/round-trips.ts';
import { after } from '../../kit/clock.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { linkPayment } from './act.ts';
import { recordTransfers, type TransferReport } from './observe.ts';
import { transfersOf } from './received.ts';

const { db, connection } = await testDatabase();
const full = 10_000_000n;

type News = {
  payment: number;
  transfer: number;
  units: bigint;
  asset: string;
  state: 'seen' | 'final' | 'gone';
  /** Minutes since the payments were created: a live payment's deadline is in between. */
  minutes: number;
};

const paymentCount = 3;
const news: fc.Arbitrary<News> = fc.record({
  payment: fc.nat(paymentCount - 1),
  transfer: fc.nat(4),
  units: fc.constantFrom(full, full / 2n, 2n * full, 1n),
  asset: fc.constantFrom('usdc-erc20', 'usdc-erc20', 'pi'),
  state: fc.constantFrom('seen', 'final', 'final', 'gone'),
  minutes: fc.constantFrom(1, 1, 5, 14, 20),
});

function reportOf(shop: Shop, payments: readonly Payment[], each: News, name: string): TransferReport {
  const payment = payments[each.payment];
  if (!payment) throw new Error('There is no such payment');
  const { asset, units, state } = each;
  const key = `${name} ${each.transfer}`;
  return {
    seen: {
      ...{ rail: 'simulated', key, transaction: key, paymentId: payment.id, asset, units, state },
      ...{ confirmations: state === 'final' ? 3 : 0, needed: 3 },
    },
    at: after(payment.createdAt, Math.min(each.minutes * 60, secondsSince(shop, payment))),
  };
}

const secondsSince = (shop: Shop, { createdAt }: Payment): number =>
  (shop.clock.now().getTime() - createdAt.getTime()) / 1000;

/** What became of payments, without what names them. */
async function outcomeOf(shop: Shop, payments: readonly Payment[]) {
  return await Promise.all(
    payments.map(async (payment) => ({
      status: await statusOf(shop, payment),
      currency: (await paymentById(db, payment.id)).currency,
      events: await eventTypesOf(db, payment),
      usdc: await ledgerOf(db, payment),
      pi: await ledgerOf(db, payment, 'pi'),
      transfers: (await transfersOf(db, payment.id)).map(({ state, units, asset }) => ({
        state,
        units,
        asset,
      })),
    })),
  );
}

/** Payments of 10 USDC; the last one with a price and quotes of 10 USDC and 1 PI, of which money fixes one. */
async function openPayments({ isPriced = false } = {}) {
  const shop = await openShop(db);
  const payments: Payment[] = [];
  const amounts = isPriced ? paymentCount - 1 : paymentCount;
  while (payments.length < amounts) payments.push(await shop.create());
  if (isPriced) {
    await setEuroRate(shop, 'PI', '8');
    const payment = await askPrice(shop, { price: { amount: 8, currency: 'EUR' } });
    const choose = (asset: string) => write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, asset));
    await choose('usdc-erc20');
    payments.push(await choose('pi'));
  }
  shop.clock.advance(30 * 60);
  return { shop, payments };
}

test('reports that are taken in batches end as those that are taken one by one', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(news, { maxLength: 8 }), { maxLength: 4 }), async (batches) => {
      const both = { isPriced: true };
      const [single, batched] = [await openPayments(both), await openPayments(both)];
      const run = `run ${runs++}`;
      for (const batch of batches) {
        for (const each of batch) {
          const report = reportOf(single.shop, single.payments, each, `${run} single`);
          await write(single.shop, (tx) => recordTransfers(tx, single.shop.deps, [report]));
        }
        const reports = batch.map((each) => reportOf(batched.shop, batched.payments, each, `${run} batched`));
        await write(batched.shop, (tx) => recordTransfers(tx, batched.shop.deps, reports));
      }
      expect(await outcomeOf(batched.shop, batched.payments)).toEqual(
        await outcomeOf(single.shop, single.payments),
      );
    }),
    { numRuns: process.env.SOAK ? 300 : 40 },
  );
  expect(await auditFindings(db)).toEqual([]);
}, 600_000);

test('a wallet that cannot pay refuses all that is reported with it', async () => {
  const { shop, payments } = await openPayments();
  const rich = await seedUser(db, 'rich');
  const poor = await seedUser(db, 'poor');
  const asset = 'usdc-erc20';
  await seedBalance(db, { kind: 'user', owner: rich, mode: 'test', asset, units: full });
  await seedBalance(db, { kind: 'user', owner: poor, mode: 'test', asset, units: full - 1n });
  const [first, second, third] = payments.map((payment, at): TransferReport => {
    const source = { kind: 'user', owner: at === 1 ? poor : rich } as const;
    const shown = { key: payment.id, transaction: payment.id, paymentId: payment.id, asset, units: full };
    const seen = { ...shown, rail: 'wallet', state: 'final', confirmations: 1, needed: 1 } as const;
    return { seen, at: after(payment.createdAt, 60), source };
  });
  if (!first || !second || !third) throw new Error('There are three payments');
  shop.clock.advance(-30 * 60);
  const reported = write(shop, (tx) => recordTransfers(tx, shop.deps, [first, second, third]));
  await expect(reported).rejects.toThrow('Insufficient');
  expect(await outcomeOf(shop, payments)).toEqual(
    payments.map(() => ({
      ...{ status: 'unlinked', currency: 'USDC', events: [] },
      ...{ usdc: {}, pi: {}, transfers: [] },
    })),
  );
  expect(await auditFindings(db)).toEqual([]);
});

test('a payment that is completed takes three round trips once its accounts are open', async () => {
  const shop = await openShop(db);
  const pool = openDatabase(connection, 1);
  try {
    const trips: number[] = [];
    for (const transfer of [0, 1, 2]) {
      const payment = await shop.create();
      const paid: News = {
        ...{ payment: 0, transfer, units: full },
        asset: 'usdc-erc20',
        state: 'final',
        minutes: 0,
      };
      const report = reportOf(shop, [payment], paid, `alone ${payment.id}`);
      trips.push(
        await roundTrips(pool, () => transaction(pool, (tx) => recordTransfers(tx, shop.deps, [report]))),
      );
      expect(await statusOf(shop, payment)).toBe('completed');
    }
    // What locks and reads, what writes, COMMIT. The first opens accounts.
    expect(trips.slice(1)).toEqual([3, 3]);
    expect(trips[0]).toBeGreaterThan(3);
  } finally {
    await pool.end();
  }
});
