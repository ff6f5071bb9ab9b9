import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import {
  eventTypesOf,
  noRail,
  openShop,
  pass,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { findForPage } from '../../checkout/find-payment.ts';
import { after } from '../../kit/clock.ts';
import { openDatabase } from '../../kit/db/db.ts';
import type { RailHealth } from '../../rails/health.ts';
import type { Destination, Rail } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, linkPayment } from './act.ts';
import { withWaits } from './await-rails.ts';
import { expireDue } from './expire.ts';

// Nothing moves by time before the rails that a payment awaits have read past that time (docs/states.md).

const database: TestDatabase = await testDatabase();
const { db } = database;
const otherProcess = openDatabase(database.connection, 4);
afterAll(() => otherProcess.end());

const hour = 3600;
const day = 24 * hour;
const whole = 10_000_000n;
const half = whole / 2n;

/** Up to when each of two rails was read. */
const read = new Map<string, Date>();
const [one, other] = ['evm:31337', 'evm:31338'];
const placeOf = (rail: string, asset: string): Destination => {
  return { rail, asset, network: rail, address: '0x1', memo: null };
};
const rail: Rail = {
  ...noRail,
  destinations: async () => [placeOf(one, 'usdc-erc20'), placeOf(other, 'usdc-bep20')],
  readThrough: async (_, __, names) => new Map([...read].filter(([name]) => names.includes(name))),
};

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live', rail });
  await db.query('UPDATE payments SET due_at = NULL, unread_rails = NULL, unread_since = NULL');
  read.clear();
  readTo(one, 0);
  readTo(other, 0);
  payment = await shop.create();
});

/** The rail has read all up to so many seconds from now. */
const readTo = (name: string, seconds: number) => read.set(name, after(shop.clock.now(), seconds));
const link = (asset = 'usdc-erc20', to = payment) =>
  write(shop, (tx) => linkPayment(tx, shop.deps, to.id, asset));
const events = () => eventTypesOf(db, payment);
const paid = (key: string, units: bigint, at?: Date, state: 'seen' | 'final' | 'gone' = 'final') =>
  report(shop, payment, { key: `${key} of ${payment.id}`, units, state }, at);

describe('a linked payment whose deadline has passed', () => {
  test('is abandoned only when its rail has read past the deadline', async () => {
    await link();
    await pass(shop, hour + 60);
    expect(await statusOf(shop, payment)).toBe('linked');
    read.set(one, after(shop.clock.now(), -60.001));
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('linked');
    readTo(one, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    expect((await paymentById(db, payment.id)).lateUntil).toEqual(
      after((await paymentById(db, payment.id)).deadline, day),
    );
  });

  test('waits for each rail whose destination it was shown', async () => {
    await link('usdc-erc20');
    await link('usdc-bep20');
    await pass(shop, hour + 60);
    readTo(other, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('linked');
    expect(await paymentById(db, payment.id)).toMatchObject({ unreadRails: [one] });
    readTo(one, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    expect(await paymentById(db, payment.id)).toMatchObject({ unreadRails: null, unreadSince: null });
  });

  test('waits for a rail of which nothing is known, however long', async () => {
    read.clear();
    await link();
    for (let days = 0; days < 10; days++) await pass(shop, day);
    expect(await statusOf(shop, payment)).toBe('linked');
  });

  test('can be cancelled while it waits', async () => {
    await link();
    await pass(shop, hour + 60);
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'customer'));
    expect(await statusOf(shop, payment)).toBe('cancelled customer');
    expect(await paymentById(db, payment.id)).toMatchObject({ dueAt: null, unreadSince: null });
  });

  test('is completed by what its chain took in time, with nothing sent about its deadline', async () => {
    await link();
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    readTo(one, 0);
    await paid('in time', whole, after(deadline, -1));
    expect(await statusOf(shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'completed']);
  });

  test('is abandoned before what its chain took later is taken as late', async () => {
    await link();
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    await paid('late', whole, after(deadline, 1));
    expect(await statusOf(shop, payment)).toBe('linked');
    readTo(one, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'abandoned', 'completed']);
  });
});

describe('a payment that was paid in part', () => {
  test('is completed by a second half that its chain took in time', async () => {
    await link();
    await paid('first half', half);
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    expect(await statusOf(shop, payment)).toBe('pending');
    readTo(one, 0);
    await paid('second half', half, after(deadline, -1));
    expect(await statusOf(shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'pending', 'completed']);
  });

  test('is in appeal by a second half that its chain took too late', async () => {
    await link();
    await paid('first half', half);
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    await paid('second half', half, after(deadline, 1));
    expect(await statusOf(shop, payment)).toBe('pending');
    readTo(one, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('in-appeal part_paid');
  });

  test('is in appeal by a second half that its chain took too late, also where that fell out before the deadline was read', async () => {
    await link();
    await paid('first half', half);
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    await paid('lost half', half, after(deadline, 1), 'seen');
    await paid('lost half', half, shop.clock.now(), 'gone');
    await paid('other half', half, after(deadline, 60));
    readTo(one, 0);
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('in-appeal part_paid');
    expect(await events()).toEqual(['linked', 'pending', 'in_appeal']);
  });

  test('is completed by money of two rails, reported in any order', async () => {
    await link('usdc-erc20');
    await link('usdc-bep20');
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, 2 * hour);
    readTo(one, 0);
    await paid('later, of the rail that is read', half, after(deadline, -10), 'seen');
    expect(await statusOf(shop, payment)).toBe('pending');
    await pass(shop, 60);
    expect(await statusOf(shop, payment)).toBe('pending');
    await paid('earlier, of the other one', half, after(deadline, -20));
    readTo(other, 0);
    await pass(shop, 60);
    await paid('later, of the rail that is read', half);
    expect(await statusOf(shop, payment)).toBe('completed');
  });
});

test('the late window does not end before it was read', async () => {
  await link();
  await pass(shop, hour);
  readTo(one, 0);
  await pass(shop, 60);
  await paid('a part', half);
  const { lateUntil } = await paymentById(db, payment.id);
  await pass(shop, 2 * day);
  expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
  await paid('the rest, in the window', half, after(lateUntil!, -1));
  expect(await statusOf(shop, payment)).toBe('completed');
});

describe('while it waits', () => {
  const healthOf = (name: string): RailHealth => ({
    ...{ rail: name, chain: null, lastBlock: null, lagSeconds: 0, endpoint: null, status: 'up' },
    ...{ faults: [], scan: null },
  });
  const faultsOf = async (name: string) =>
    (await withWaits(db, shop.clock.now, async () => healthOf(name))()).faults;

  test('longer than usual, operators see for which rail, and since when', async () => {
    await link();
    const { deadline } = await paymentById(db, payment.id);
    await pass(shop, hour + 60);
    expect(await faultsOf(one)).toEqual([]);
    await pass(shop, 180);
    expect(await faultsOf(one)).toEqual([
      {
        code: 'payments_wait',
        message: `Payments that wait until it was read past their time: 1, the first since ${deadline.toISOString()}.`,
      },
    ]);
    expect(await faultsOf(other)).toEqual([]);
    readTo(one, 0);
    await pass(shop, 60);
    expect(await faultsOf(one)).toEqual([]);
  });

  test('its page shows it, and then the end', async () => {
    const page = async () => {
      const key = { reference: payment.reference, app: payment.integrationId, token: payment.token };
      const deps = { assets: shop.assets, rail, explorers: new Map(), usdOf: () => null, remote: null };
      return await findForPage(db, { ...deps, now: shop.clock.now }, key);
    };
    expect(await page()).toMatchObject({ isUnread: false });
    await link();
    await paid('a part', half);
    const before = await page();
    expect(before).toMatchObject({ status: 'pending', isUnread: false });
    await pass(shop, hour + 60);
    const during = await page();
    expect(during).toMatchObject({ status: 'pending', isUnread: true, version: before!.version + 1 });
    readTo(one, 0);
    await pass(shop, 60);
    expect(await page()).toMatchObject({ status: 'in-appeal', isUnread: false });
  });
});

test('a payment that nobody linked waits for no rail', async () => {
  read.clear();
  await pass(shop, hour);
  expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
});

test('nor does one that is paid from a wallet', async () => {
  read.clear();
  await link('wallet');
  await pass(shop, hour);
  expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
});

test('a test payment waits for no rail', async () => {
  read.clear();
  const testShop = await openShop(db, {}, { rail, clock: shop.clock });
  const test = await testShop.create();
  await write(testShop, (tx) => linkPayment(tx, testShop.deps, test.id, 'usdc-erc20'));
  await pass(testShop, 600);
  expect(await statusOf(testShop, test)).toBe('cancelled abandoned');
});

test('more waiting payments than are handled at once do not hold up the others', async () => {
  const waiting = await Promise.all(Array.from({ length: 130 }, () => shop.create()));
  for (const each of waiting) await link('usdc-erc20', each);
  await pass(shop, 60);
  const others = await Promise.all(Array.from({ length: 120 }, () => shop.create()));
  await pass(shop, hour);
  shop.clock.advance(300);
  const counts = await Promise.all([db, otherProcess].map((pool) => expireDue(pool, shop.deps)));
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  for (const each of waiting) expect(await statusOf(shop, each)).toBe('linked');
  for (const each of others) expect(await statusOf(shop, each)).toBe('cancelled abandoned');
  // Who waits for long is looked at less often.
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT DISTINCT extract(epoch FROM due_at - $1::timestamptz)::integer AS seconds FROM payments
     WHERE unread_since IS NOT NULL`,
    [shop.clock.now()],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { seconds } of rows) expect(seconds).toBeGreaterThan(0);
  expect(await expireDue(db, shop.deps)).toBe(0);
});
