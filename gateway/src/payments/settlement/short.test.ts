import { beforeEach, describe, expect, test } from 'vitest';
import { askPrice } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventsOf,
  ledgerOf,
  noRail,
  openShop,
  pass,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { after } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';
import { acceptAppeal } from '../appeals/resolve.ts';
import { linkView } from '../links/link.ts';
import { insertLink, usesOf } from '../links/links.ts';
import { lackingPrices } from '../payment/lacking.ts';
import type { Payment } from '../payment/payment.ts';
import type { Price } from '../payment/price.ts';
import { createTotals } from '../read/add-up.ts';
import { groupsOf } from '../read/groups.ts';
import { totalsOf } from '../read/totals.ts';
import { recentVolume } from '../read/volume.ts';
import { refundableOf } from '../refunds/refundable.ts';
import { changePayments } from './changes.ts';
import { acceptShort } from './enough.ts';
import { bringUpToDate } from './moves.ts';

// Payments of 10 USDC of which half a USDC may be missing: 0.05 of it were kept by an exchange.

const { db } = await testDatabase();
const came = 9_950_000n;
const missing = 50_000n;
const minute = 60;

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db, { shortTolerance: { percent: 5, most: '5.00' } });
  payment = await shop.create();
});

const enough = (of = shop) => write(of, (tx) => acceptShort(tx, of.deps, payment.id));
const send = (units: bigint, state: 'seen' | 'final' | 'gone' = 'final', key = `${units}`, at?: Date) =>
  report(shop, payment, { key: `${payment.id} ${key}`, units, state }, at);
const status = () => statusOf(shop, payment);
const events = async () => (await eventsOf(db, payment)).map(({ body }) => body);
const shortMoney = { external: -came, business: 9_850_500n, fees: 99_500n };

test('the tolerance is fixed at creation, and what is set later changes no payment', async () => {
  expect(payment).toMatchObject({ tolerance: 500_000n, shortUnits: null });
  await db.query(`UPDATE integrations SET short_tolerance = '{"percent": 0, "most": "5.00"}' WHERE id = $1`, [
    payment.integrationId,
  ]);
  await send(came);
  await pass(shop, 10 * minute);
  expect(await status()).toBe('completed short');
});

test('an integration that did not set it has none, and its payment comes into appeal', async () => {
  shop = await openShop(db);
  payment = await shop.create();
  expect(payment.tolerance).toBe(0n);
  await send(came);
  await expect(enough()).rejects.toThrow('Not possible while the payment is pending');
  await pass(shop, 10 * minute);
  expect(await status()).toBe('in-appeal part_paid');
});

test('at the deadline it completes with what came, with the fee on that, and says so in its one event', async () => {
  await send(came);
  expect(await status()).toBe('pending');
  await pass(shop, 10 * minute);
  expect(await status()).toBe('completed short');
  expect(await ledgerOf(db, payment)).toEqual(shortMoney);
  const [pending, completed] = await events();
  expect(Object.keys(pending ?? {}).at(-1)).toBe('timestamp');
  expect(Object.entries(completed ?? {}).slice(-2)).toEqual([
    ['short', true],
    ['paid_amount', '9.95'],
  ]);
  expect(completed).toMatchObject({ event_type: 'payment_completed', amount: 10, service_fee: 0.1 });
  expect(await auditFindings(db)).toEqual([]);
});

test('a unit more than may be missing leaves it to people', async () => {
  await send(9_499_999n);
  await expect(enough()).rejects.toThrow('Not possible while the payment is pending');
  await pass(shop, 10 * minute);
  expect(await status()).toBe('in-appeal part_paid');
});

describe('enough', () => {
  test('completes it at once, and once: pressed again, or by several at the same time, it does nothing', async () => {
    await send(came);
    await Promise.all([enough(), enough(), enough()]);
    await enough();
    expect(await status()).toBe('completed short');
    expect((await events()).map(({ event_type }) => event_type)).toEqual([
      ...['payment_pending', 'payment_completed'],
    ]);
    expect(await ledgerOf(db, payment)).toEqual(shortMoney);
  });

  test('is refused before anything came, while something is not final, and after the payment has ended', async () => {
    await expect(enough()).rejects.toThrow('Not possible while the payment is unlinked');
    await send(came, 'seen');
    await expect(enough()).rejects.toThrow('Not possible while the payment is pending');
    expect((await paymentById(db, payment.id)).deadline).toEqual(payment.deadline);
    await send(came, 'gone');
    await pass(shop, 31 * minute);
    expect(await status()).toBe('failed reorg');
    await expect(enough()).rejects.toThrow('Not possible while the payment is failed');
  });

  test('after the deadline does what the deadline does', async () => {
    await send(came);
    shop.clock.advance(20 * minute);
    await enough();
    expect(await status()).toBe('completed short');
    expect(await ledgerOf(db, payment)).toEqual(shortMoney);
  });

  test('at the same time as the rest leaves nothing lost: one of the two comes first', async () => {
    await send(came);
    await Promise.all([enough(), send(missing)]);
    const then = await paymentById(db, payment.id);
    const isShort = then.shortUnits !== null;
    expect(then.status).toBe('completed');
    expect(await ledgerOf(db, payment)).toEqual(
      isShort
        ? { ...shortMoney, external: -10_000_000n, payable: missing }
        : { external: -10_000_000n, business: 9_900_000n, fees: 100_000n },
    );
    expect(await auditFindings(db)).toEqual([]);
  });

  test('waits for a rail that has not read so far yet, also over a restart; what it took before counts', async () => {
    let read = shop.clock.now();
    const rail = { ...noRail, readThrough: async () => new Map([['simulated', read]]) };
    shop = { ...shop, deps: { ...shop.deps, rail } };
    await send(came);
    await db.query(`UPDATE payments SET awaited_rails = '{simulated}' WHERE id = $1`, [payment.id]);
    shop.clock.advance(1);
    await enough();
    const inTime = shop.clock.now();
    shop.clock.advance(30);
    // Pressed again it moves nothing: what comes now is late.
    await enough();
    expect(await paymentById(db, payment.id)).toMatchObject({
      ...{ status: 'pending', deadline: inTime, unreadRails: ['simulated'] },
    });
    read = shop.clock.now();
    await send(missing, 'seen', 'rest', after(inTime, -0.5));
    await pass(shop, 60);
    expect(await status()).toBe('pending');
    await send(missing, 'final', 'rest');
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment)).toEqual({
      ...{ external: -10_000_000n, business: 9_900_000n, fees: 100_000n },
    });
  });
});

describe('a payment that was completed short', () => {
  beforeEach(async () => {
    await send(9_900_000n);
    await send(missing, 'final', 'second');
    await enough();
    expect(await ledgerOf(db, payment)).toEqual(shortMoney);
  });

  test('owes its customer what comes later, also the part that was missing', async () => {
    await send(missing, 'final', 'rest');
    const then = await paymentById(db, payment.id);
    expect(then).toMatchObject({ status: 'completed', reason: 'short', unusual: ['overpaid'] });
    expect(await ledgerOf(db, payment)).toEqual({ ...shortMoney, external: -10_000_000n, payable: missing });
    expect(await refundableOf(db, shop.assets, then)).toMatchObject([
      { overpayment: missing, settled: came },
    ]);
  });

  test('refunds at most what came', async () => {
    const [refundable] = await refundableOf(db, shop.assets, await paymentById(db, payment.id));
    expect(refundable).toMatchObject({ overpayment: 0n, settled: came });
  });

  test('comes into appeal when a part leaves its chain, and completes again with the same shares when it is back', async () => {
    await send(missing, 'gone', 'second');
    expect(await status()).toBe('in-appeal reorg');
    expect(await ledgerOf(db, payment)).toEqual({ external: -9_900_000n, suspense: 9_900_000n });
    await send(missing, 'final', 'second');
    expect(await status()).toBe('completed covered_again');
    expect(await ledgerOf(db, payment)).toEqual(shortMoney);
    expect((await events()).at(-1)).toMatchObject({
      ...{ event_type: 'payment_appeal_closed', short: true, paid_amount: '9.95' },
    });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('stays completed when a part leaves its chain that other money stands in for', async () => {
    await send(missing, 'final', 'rest');
    await send(missing, 'gone', 'second');
    expect(await status()).toBe('completed short');
    expect(await ledgerOf(db, payment)).toEqual(shortMoney);
  });

  test('is accepted by its merchant after a reorg with the fee on what is left', async () => {
    await send(missing, 'gone', 'second');
    const { rows } = await db.query<{ id: string }>('SELECT id FROM appeals WHERE payment_id = $1', [
      payment.id,
    ]);
    const decider = { accountId: newId(), as: 'merchant', note: null } as const;
    await write(shop, (tx) => acceptAppeal(tx, shop.deps, { scope: 'all', id: rows[0]?.id ?? '' }, decider));
    expect(await ledgerOf(db, payment)).toEqual({
      ...{ external: -9_900_000n, business: 9_801_000n, fees: 99_000n },
    });
  });

  test('counts in totals and charts with what came', async () => {
    const now = shop.clock.now();
    const sum = { currency: 'USDC', count: 1 };
    expect((await totalsOf(db, shop.owner, {})).groups).toMatchObject([
      { ...sum, payment_status: 'completed', amount: '9.95' },
    ]);
    expect(await recentVolume(db, shop.owner.integrationId, now)).toMatchObject([{ amount: '9.95' }]);
    const span = { n: 1, from: after(now, -3600), to: after(now, 1) };
    expect(await groupsOf(db, shop.owner, [span])).toMatchObject([
      { ...sum, status: 'completed', units: came },
    ]);
    // Later whole days are added up.
    const later = after(now, 4 * 24 * 3600);
    const days = { n: 1, from: after(now, -48 * 3600), to: after(now, 48 * 3600) };
    await createTotals(db, () => later, 0)();
    expect(await groupsOf(db, shop.owner, [days])).toMatchObject([{ ...sum, units: came }]);
  });
});

test('of a price, totals, charts and days count what came of it', async () => {
  payment = await askPrice(shop, { currency: 'USDC' });
  await send(12_437_500n);
  await enough();
  const { prices } = await totalsOf(db, shop.owner, {});
  expect(prices).toEqual([{ payment_status: 'completed', currency: 'EUR', count: 1, amount: '9.95' }]);
  const now = shop.clock.now();
  const groups = await groupsOf(db, shop.owner, [{ n: 1, from: after(now, -3600), to: after(now, 1) }]);
  expect(groups.filter(({ price_units }) => price_units > 0n)).toMatchObject([{ price_units: 995n }]);
  expect(await lackingPrices(db, [payment.id, payment.id])).toEqual([{ currency: 'EUR', units: 10n }]);
  const asks = { price: payment.price as Price, currency: 'USDC', choices: null, amount: null } as const;
  const link = await write(shop, (tx) => insertLink(tx, shop.owner, { title: 'A print', asks }, now));
  await db.query('UPDATE payments SET link_id = $1 WHERE id = $2', [link.id, payment.id]);
  const use = (await usesOf(db, [link.id]))(link.id);
  expect(linkView('https://pay.example', link, use, now)).toMatchObject({ uses: 1, revenue: '9.95' });
});

test('where the customer pays the fee, the fee and the amount are each their part of what came', async () => {
  shop = await openShop(db, { feePayer: 'customer', shortTolerance: { percent: 1, most: '5.00' } });
  payment = await shop.create();
  expect(payment).toMatchObject({ amountDue: 10_100_000n, tolerance: 101_000n });
  await send(9_999_000n);
  await enough();
  expect(await ledgerOf(db, payment)).toEqual({ external: -9_999_000n, business: 9_900_000n, fees: 99_000n });
  expect((await totalsOf(db, shop.owner, {})).groups).toMatchObject([{ amount: '9.9' }]);
});

test('what came in an asset with 18 decimals is its to the last unit', async () => {
  const units = 9_950_000_000_000_000_001n;
  await report(shop, payment, { key: `${payment.id} fine`, units, asset: 'usdc-bep20' });
  await enough();
  expect((await events()).at(-1)).toMatchObject({ paid_amount: '9.950000000000000001' });
  const booked = await ledgerOf(db, payment, 'usdc-bep20');
  expect(booked).toEqual({
    external: -units,
    business: units - 99_500n * 10n ** 12n,
    fees: 99_500n * 10n ** 12n,
  });
  await write(shop, (tx) =>
    changePayments(tx, shop.deps, [payment.id], (changes) => bringUpToDate(changes, payment.id)),
  );
  expect(await ledgerOf(db, payment, 'usdc-bep20')).toEqual(booked);
});

test('in live mode the most is worth what the rate of the currency says', async () => {
  const terms = { approved: true, shortTolerance: { percent: 5, most: '5.00' } };
  const rates = { USDC: '1', PI: '0.5' } as Record<string, string>;
  shop = await openShop(db, terms, { mode: 'live', rates: (currency) => rates[currency] ?? null });
  expect((await shop.create({ currency: 'PI', amount: 1000 })).tolerance).toBe(100_000_000n);
  expect((await shop.create()).tolerance).toBe(500_000n);
});
