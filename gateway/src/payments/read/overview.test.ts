import { expect, test } from 'vitest';
import { askPrice, setEuroRate } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, pass, report, type Shop } from '../../../test/support/payment-fixtures.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { noteTestRate, setAccountingCurrency } from '../../rates/history.ts';
import { cancelPayment, linkPayment } from '../settlement/act.ts';
import { paymentOverview } from './overview.ts';
import { lastDays } from './period.ts';
import { worthOf } from './worth.ts';

const { db } = await testDatabase();
const day = 24 * 3600;

async function overview(shop: Shop, days = 7, zone = 'UTC') {
  const owner = { integrationId: shop.caller.integration.id, mode: 'test' } as const;
  const now = shop.clock.now();
  return await paymentOverview(db, owner, lastDays(days, zone, now), now);
}

async function paid(shop: Shop, amount: number, key: string, afterSeconds = 60): Promise<void> {
  const payment = await shop.create({ amount });
  await pass(shop, afterSeconds);
  await report(shop, payment, { key, units: BigInt(amount * 1e6) });
}

const daysOf = async (shop: Shop, days?: number) =>
  (await overview(shop, days)).by_day.map((each) => each.day);

test('an integration without payments has today, and no rate', async () => {
  const shop = await openShop(db);
  const found = await overview(shop);
  expect(await daysOf(shop)).toEqual(['2026-03-01']);
  expect(found).toMatchObject({
    value: { currency: 'USD', amount: '0', without: [] },
    counts: {},
    volume: {},
    prices: [],
    success: { completed: 0, ended: 0, rate: null, previous: { rate: null } },
    completion: { median_seconds: null, payments: 0 },
    now: { linked: 0, pending: 0, part_paid: 0, in_appeal: 0, counted_up_to: 10_000 },
  });
});

test('payments count on the day of their creation, and currencies are never added up', async () => {
  const shop = await openShop(db);
  await paid(shop, 10.5, 'a', 30);
  await paid(shop, 4, 'b', 90);
  const pi = await shop.create({ amount: 3, currency: 'PI' });
  await report(shop, pi, { key: 'c', units: 30_000_000n, asset: 'pi' });
  await pass(shop, day);
  await paid(shop, 1, 'd', 50);
  await transaction(db, async (tx) => {
    await cancelPayment(tx, shop.deps, (await shop.create()).id, 'merchant');
  });

  const found = await overview(shop);
  expect(found.by_day.slice(-2)).toMatchObject([
    { day: '2026-03-01', counts: { completed: 3 }, volume: { USDC: '14.5', PI: '3' } },
    { day: '2026-03-02', counts: { completed: 1, cancelled: 1 }, volume: { USDC: '1' } },
  ]);
  expect(found.volume).toEqual({ USDC: '15.5', PI: '3' });
  expect(found.success).toMatchObject({ completed: 4, ended: 5, rate: 0.8 });
  expect(found.completion).toEqual({ median_seconds: 40, payments: 4 });
});

test('days begin with the first payment, and from then on none is left out', async () => {
  const shop = await openShop(db);
  await pass(shop, 2 * day);
  await shop.create();
  await pass(shop, 3 * day);
  expect(await daysOf(shop)).toEqual(['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']);
  expect(await daysOf(shop, 2)).toEqual(['2026-03-05', '2026-03-06']);
  await pass(shop, 30 * day);
  expect(await daysOf(shop)).toHaveLength(7);
});

test('what came in has a value in the accounting currency, by day and in all', async () => {
  const shop = await openShop(db);
  const { integrationId } = shop.owner;
  await transaction(db, (tx) =>
    setAccountingCurrency(tx, integrationId, 'EUR' as PriceCurrency, shop.clock.now()),
  );
  await setEuroRate(shop, 'USDC', '0.8');
  await transaction(db, (tx) => noteEuro(tx, shop, '0.8'));
  await paid(shop, 10, 'v1');
  const priced = await askPrice(shop, { currency: 'USDC' });
  await report(shop, priced, { key: 'v2', units: 12_500_000n });
  await pass(shop, day);
  // A price in the accounting currency is worth what was asked, whatever the coin is worth later that day.
  const later = await askPrice(shop, { currency: 'USDC' });
  await report(shop, later, { key: 'v3', units: 12_500_000n });
  await transaction(db, (tx) => noteEuro(tx, shop, '0.5'));
  await paid(shop, 10, 'v4');
  await shop.create();
  const found = await overview(shop);
  expect(found.by_day.map(({ value }) => value.amount)).toEqual(['18', '15']);
  expect(found.value).toEqual({ currency: 'EUR', amount: '33', without: [] });
});

const noteEuro = (tx: Tx, { owner, clock }: Shop, rate: string) =>
  noteTestRate(
    tx,
    owner.integrationId,
    { currency: 'USDC', priceCurrency: 'EUR' as PriceCurrency, rate },
    clock.now(),
  );

test('a coin without a rate is no part of the value, which says so', async () => {
  const owner = { integrationId: (await openShop(db)).owner.integrationId, mode: 'live' } as const;
  const now = new Date('2026-03-01T12:00:00Z');
  const days = lastDays(1, 'UTC', now);
  await db.query("INSERT INTO rate_history VALUES ('live', 'USDC', 'USD', $1, '1')", [now]);
  const group = { n: 1, status: 'completed', count: 1, price_currency: null, price_units: 0n } as const;
  const groups = [
    { ...group, currency: 'USDC', units: 2_000_000n } as const,
    { ...group, currency: 'PI', units: 30_000_000n } as const,
  ];
  const worth = await worthOf(db, owner, { days, groups }, now);
  expect(worth).toEqual({
    currency: 'USD',
    all: { amount: '2', without: ['PI'] },
    byDay: [{ amount: '2', without: ['PI'] }],
  });
});

test('prices have totals of their own, beside what was paid of them', async () => {
  const shop = await openShop(db);
  await paid(shop, 10, 'p1');
  const inUsdc = await askPrice(shop, { currency: 'USDC' });
  await report(shop, inUsdc, { key: 'p2', units: 12_500_000n });
  await pass(shop, day);
  const inYen = await askPrice(shop, { currency: 'PI', price: { amount: 1000, currency: 'JPY' } });
  await report(shop, inYen, { key: 'p3', units: 100_000_000n, asset: 'pi' });
  const inPi = await askPrice(shop, { currency: 'PI', price: { amount: '0.8', currency: 'EUR' } });
  await report(shop, inPi, { key: 'p4', units: 10_000_000n, asset: 'pi' });
  await askPrice(shop);

  const found = await overview(shop);
  expect(found.volume).toEqual({ USDC: '22.5', PI: '11' });
  expect(found.prices).toEqual([
    { currency: 'EUR', count: 2, amount: '10.8' },
    { currency: 'JPY', count: 1, amount: '1000' },
  ]);
  expect(found.by_day.slice(-2)).toMatchObject([
    { volume: { USDC: '22.5' }, prices: [{ currency: 'EUR', count: 1, amount: '10' }] },
    { volume: { PI: '11' }, prices: [{ currency: 'EUR', amount: '0.8' }, { currency: 'JPY' }] },
  ]);
  expect(found.counts).toEqual({ completed: 4, unlinked: 1 });
});

test('the success rate is compared with as many days before', async () => {
  const shop = await openShop(db);
  await paid(shop, 1, 'e');
  await shop.create();
  await pass(shop, 7 * day);
  await paid(shop, 2, 'f');
  const found = await overview(shop);
  expect(found.success).toMatchObject({
    completed: 1,
    ended: 1,
    rate: 1,
    previous: { completed: 1, ended: 2, rate: 0.5 },
  });
  expect(found.volume).toEqual({ USDC: '2' });
});

test('what is open now counts whenever it was created', async () => {
  const shop = await openShop(db);
  const link = async () => {
    const payment = await shop.create();
    return await transaction(db, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-erc20'));
  };
  const appealed = await shop.create();
  await transaction(db, (tx) => linkPayment(tx, shop.deps, appealed.id, 'usdc-erc20'));
  await report(shop, appealed, { key: 'g', units: 4_000_000n });
  await pass(shop, 40 * day);
  await link();
  const part = await shop.create();
  await report(shop, part, { key: 'h', units: 5_000_000n });
  const seen = await shop.create();
  await report(shop, seen, { key: 'i', units: 10_000_000n, state: 'seen' });
  const { now } = await overview(shop);
  expect(now).toEqual({ linked: 1, pending: 2, part_paid: 2, in_appeal: 1, counted_up_to: 10_000 });
});
