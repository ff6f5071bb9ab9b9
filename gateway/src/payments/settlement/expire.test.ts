import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import {
  advanceTestClock,
  endedOrWaiting,
  eventTypesOf,
  openShop,
  pass,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { showDue, simulate } from '../simulate/simulate.ts';
import { linkPayment } from './act.ts';
import { changePayments } from './changes.ts';
import { expireDue, shiftTestPayments } from './expire.ts';
import { bringUpToDate } from './moves.ts';

const day = 24 * 3600;

const database: TestDatabase = await testDatabase();
const { db } = database;
const otherProcess = openDatabase(database.connection, 4);
afterAll(() => otherProcess.end());

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(db);
});

describe('expiry', () => {
  test('abandons a test payment ten minutes after its creation', async () => {
    const payment = await shop.create();
    await pass(shop, 599);
    expect(await statusOf(shop, payment)).toBe('unlinked');
    await pass(shop, 1);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    expect(await eventTypesOf(db, payment)).toEqual(['abandoned']);
  });

  test('gives a payment its ten minutes anew when the customer first chooses how to pay, and only then', async () => {
    const payment = await shop.create();
    const choose = () => write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-erc20'));
    await pass(shop, 500);
    await choose();
    await pass(shop, 500);
    await choose();
    expect(await statusOf(shop, payment)).toBe('linked');
    await pass(shop, 100);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    expect(await eventTypesOf(db, payment)).toEqual(['linked', 'abandoned']);
  });

  test('abandons a live payment after the time that its integration gives it', async () => {
    const live = await openShop(db, { approved: true }, { mode: 'live', clock: shop.clock });
    const payment = await live.create();
    await pass(shop, 3599);
    expect(await statusOf(shop, payment)).toBe('unlinked');
    await pass(shop, 1);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
  });

  test('comes after what the simulated chain shows before the deadline, though it looks first', async () => {
    const [failing, late] = [await shop.create(), await shop.create()];
    const failAfter = (payment: Payment, seconds: number) =>
      write(shop, (tx) =>
        simulate(tx, shop.deps, payment.id, { outcomes: ['failure'], delaySeconds: seconds }),
      );
    await failAfter(failing, 300);
    await failAfter(late, 650);
    shop.clock.advance(700);
    await expireDue(db, shop.deps);
    expect(await statusOf(shop, failing)).toBe('unlinked');
    await showDue(db, shop.deps);
    expect(await statusOf(shop, failing)).toBe('failed simulated');
    expect(await eventTypesOf(db, failing)).toEqual(['failed']);
    expect(await statusOf(shop, late)).toBe('cancelled abandoned');
    const { rows } = await db.query('SELECT FROM payments WHERE unread_since IS NOT NULL');
    expect(rows).toEqual([]);
  });

  test('by two processes at once ends each payment once', async () => {
    const payments = await Promise.all(Array.from({ length: 350 }, () => shop.create()));
    shop.clock.advance(600);
    const counts = await Promise.all(
      [db, otherProcess, db, otherProcess].map((pool) => expireDue(pool, shop.deps)),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(350);
    const { rows } = await db.query(
      `SELECT p.status, p.event_sequence, count(e.id)::int AS events FROM payments p
       LEFT JOIN events e ON e.payment_id = p.id WHERE p.id = ANY($1) GROUP BY p.id`,
      [payments.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(350);
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ status: 'cancelled', event_sequence: 1, events: 1 })]),
    );
  });

  test('leaves nothing due behind, so that the next round is idle', async () => {
    const payment = await shop.create();
    shop.clock.advance(600);
    expect(await expireDue(db, shop.deps)).toBe(1);
    expect(await expireDue(db, shop.deps)).toBe(0);
    expect((await paymentById(db, payment.id)).dueAt).toBeNull();
  });

  test('of one integration waits for the payment that another process is just ending', async () => {
    const payment = await shop.create();
    shop.clock.advance(600);
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let done = false;
    const worker = transaction(otherProcess, async (tx) => {
      await changePayments(tx, shop.deps, [payment.id], (changes) => bringUpToDate(changes, payment.id));
      begun.resolve();
      await finish.promise;
      done = true;
    });
    await begun.promise;
    const asked = expireDue(db, shop.deps, shop.caller.integration.id);
    const doneWhenAnswered = asked.then(() => done);
    await endedOrWaiting(db, asked);
    finish.resolve();
    expect(await doneWhenAnswered).toBe(true);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    await worker;
  });

  test('of one integration leaves the others and live payments alone', async () => {
    const { clock } = shop;
    const strangers = await (await openShop(db, {}, { clock })).create();
    const own = await shop.create();
    const live = await shop.create();
    await db.query("UPDATE payments SET mode = 'live' WHERE id = $1", [live.id]);
    clock.advance(600);
    await expireDue(db, shop.deps, shop.caller.integration.id);
    expect(await statusOf(shop, own)).toBe('cancelled abandoned');
    expect(await statusOf(shop, strangers)).toBe('unlinked');
    expect(await statusOf(shop, live)).toBe('unlinked');
  });
});

describe('the late window', () => {
  test('begins at the deadline, however late the expiry is noticed', async () => {
    const payment = await shop.create();
    await pass(shop, 600 + day);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    expect((await paymentById(db, payment.id)).lateUntil).toEqual(
      new Date(payment.deadline.getTime() + day * 1000),
    );
    shop.clock.advance(1);
    await report(shop, payment, { key: 'too late', units: 10_000_000n });
    expect(await statusOf(shop, payment)).toBe('in-appeal late');
  });

  test('takes a payment whose money comes in parts until its last second', async () => {
    const payment = await shop.create();
    await pass(shop, 600);
    await report(shop, payment, { key: 'first half', units: 5_000_000n });
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    shop.clock.advance(day);
    await report(shop, payment, { key: 'second half', units: 5_000_000n });
    expect(await statusOf(shop, payment)).toBe('completed');
  });

  test('ends in an appeal when only a part came', async () => {
    const payment = await shop.create();
    await pass(shop, 600);
    await report(shop, payment, { key: 'a part', units: 1_000_000n });
    await pass(shop, day - 1);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    await pass(shop, 1);
    expect(await statusOf(shop, payment)).toBe('in-appeal late');
  });
});

describe('the test clock', () => {
  test('brings the deadline of an own test payment closer', async () => {
    const payment = await shop.create();
    await advanceTestClock(shop, 599);
    expect(await statusOf(shop, payment)).toBe('unlinked');
    await advanceTestClock(shop, 1);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
  });

  test("moves neither another integration's payments nor live ones", async () => {
    const other = await openShop(db, {}, { clock: shop.clock });
    const { integration } = shop.caller;
    await db.query("UPDATE integrations SET approval = 'approved' WHERE id = $1", [integration.id]);
    const strangers = await other.create();
    const own = await shop.create();
    const { id: liveId } = await shop.create();
    await db.query("UPDATE payments SET mode = 'live' WHERE id = $1", [liveId]);
    const live = await paymentById(db, liveId);
    const shift = { seconds: 100, now: shop.clock.now(), played: [] };
    await write(shop, (tx) => shiftTestPayments(tx, integration.id, shift));
    expect((await paymentById(db, own.id)).deadline).toEqual(new Date(own.deadline.getTime() - 100_000));
    expect(await paymentById(db, strangers.id)).toEqual(strangers);
    expect(await paymentById(db, liveId)).toEqual(live);
  });

  test('gives the same end in one leap as in many steps', async () => {
    const [leap, steps] = [await openShop(db), await openShop(db)];
    const [leapt, stepped] = [await leap.create(), await steps.create()];
    await report(leap, leapt, { key: 'lost in a leap', units: 10_000_000n, state: 'seen' });
    await report(steps, stepped, { key: 'lost in steps', units: 10_000_000n, state: 'seen' });
    await report(leap, leapt, { key: 'lost in a leap', units: 10_000_000n, state: 'gone' });
    await report(steps, stepped, { key: 'lost in steps', units: 10_000_000n, state: 'gone' });
    await advanceTestClock(leap, 1800);
    for (let minutes = 0; minutes < 29; minutes++) await advanceTestClock(steps, 60);
    expect(await statusOf(steps, stepped)).toBe('pending');
    await advanceTestClock(steps, 60);
    expect(await statusOf(steps, stepped)).toBe('failed reorg');
    expect(await statusOf(leap, leapt)).toBe('failed reorg');
  });

  test('brings the end of the late window closer, also while nothing has come yet', async () => {
    const payment = await shop.create();
    await advanceTestClock(shop, 600);
    await advanceTestClock(shop, day + 1);
    await report(shop, payment, { key: 'after the window', units: 10_000_000n });
    expect(await statusOf(shop, payment)).toBe('in-appeal late');
  });
});
