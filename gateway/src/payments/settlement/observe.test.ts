import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  pass,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { after } from '../../kit/clock.ts';
import type { Payment } from '../payment/payment.ts';
import { recordTransfers } from './observe.ts';
import { transfersOf } from './received.ts';

const minute = 60;
const full = 10_000_000n;

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});

const status = () => statusOf(shop, payment);
const railReports = (state: 'seen' | 'final' | 'gone', units = full, at?: Date) =>
  report(shop, payment, { key: payment.id, units, state }, at);

describe('a transfer that is reported again', () => {
  test('as final is booked once, also by ten processes at the same instant', async () => {
    await Promise.all(Array.from({ length: 10 }, () => railReports('final')));
    expect(await ledgerOf(db, payment)).toEqual({ external: -full, business: 9_900_000n, fees: 100_000n });
    expect(await eventTypesOf(db, payment)).toEqual(['completed']);
  });

  test('as gone does not prolong the wait for its return', async () => {
    await railReports('seen');
    await railReports('gone');
    await pass(shop, 29 * minute);
    await railReports('gone');
    await pass(shop, minute);
    expect(await status()).toBe('failed reorg');
  });

  test('as seen after it was gone is waited for again, and keeps the time of its first sight', async () => {
    const first = shop.clock.now();
    await railReports('seen');
    shop.clock.advance(minute);
    await railReports('gone');
    shop.clock.advance(minute);
    await railReports('seen');
    await pass(shop, 60 * minute);
    expect(await status()).toBe('pending');
    expect(await transfersOf(db, payment.id)).toMatchObject([
      { state: 'seen', seen_at: first, gone_at: null },
    ]);
  });

  test('with other units than were seen at first is booked with those that are final', async () => {
    await railReports('seen', 1_000n * full);
    await railReports('final');
    expect(await ledgerOf(db, payment)).toEqual({ external: -full, business: 9_900_000n, fees: 100_000n });
    expect(await transfersOf(db, payment.id)).toMatchObject([{ state: 'final', units: full }]);
  });

  test('for another payment, once it is gone for this one, counts there', async () => {
    await railReports('seen');
    await railReports('gone');
    const other = await shop.create();
    await report(shop, other, { key: payment.id, units: full });
    expect([await status(), await statusOf(shop, other)]).toEqual(['pending', 'completed']);
    await pass(shop, 60 * minute);
    expect(await status()).toBe('failed reorg');
  });

  test('for another payment changes neither', async () => {
    await railReports('seen');
    const other = await shop.create();
    await report(shop, other, { key: payment.id, units: full });
    expect([await status(), await statusOf(shop, other)]).toEqual(['pending', 'unlinked']);
    expect(await ledgerOf(db, other)).toEqual({});
  });
});

describe('two transfers of one transaction', () => {
  test('count as two, for each has a key of its own', async () => {
    await report(shop, payment, { key: `${payment.id} 1`, units: full / 2n });
    await report(shop, payment, { key: `${payment.id} 2`, units: full / 2n });
    expect(await status()).toBe('completed');
  });
});

describe('money that comes after completion', () => {
  beforeEach(() => railReports('final'));

  test('is owed back to the customer', async () => {
    await report(shop, payment, { key: `${payment.id} more`, units: 5n });
    expect(await ledgerOf(db, payment)).toMatchObject({ external: -full - 5n, payable: 5n });
    expect(await status()).toBe('completed');
  });

  test('in another currency waits in suspense', async () => {
    await report(shop, payment, { key: `${payment.id} pi`, units: 5n, asset: 'pi' });
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ external: -5n, suspense: 5n });
  });
});

describe('the moment at which the rail saw a transfer', () => {
  test('counts, not the moment at which it is reported: before the deadline it is in time', async () => {
    const inTime = after(payment.deadline, -1);
    shop.clock.advance(60 * minute);
    await railReports('seen', full, inTime);
    expect(await status()).toBe('pending');
    await railReports('final');
    expect(await status()).toBe('completed');
    expect(await eventTypesOf(db, payment)).toEqual(['pending', 'completed']);
  });

  test('after a deadline that nobody has noticed yet finds the payment abandoned', async () => {
    shop.clock.advance(60 * minute);
    await railReports('final', full, after(payment.deadline, 1));
    expect(await eventTypesOf(db, payment)).toEqual(['abandoned', 'completed']);
  });
});

test('a wallet without the money pays nothing, and leaves no trace of having tried', async () => {
  const owner = await seedUser(db, 'jane_doe');
  const account = { kind: 'user', owner } as const;
  const pay = () =>
    write(shop, (tx) =>
      recordTransfers(tx, shop.deps, [
        {
          seen: {
            rail: 'wallet',
            key: payment.id,
            paymentId: payment.id,
            transaction: payment.id,
            asset: 'usdc-erc20',
            units: full,
            state: 'final',
            confirmations: 1,
            needed: 1,
          },
          at: shop.clock.now(),
          source: account,
        },
      ]),
    );
  await seedBalance(db, { ...account, mode: 'test', asset: 'usdc-erc20', units: full - 1n });
  await expect(pay()).rejects.toThrow('Insufficient');
  expect(await paymentById(db, payment.id)).toEqual(payment);
  expect(await transfersOf(db, payment.id)).toEqual([]);
  await seedBalance(db, { ...account, mode: 'test', asset: 'usdc-erc20', units: 1n });
  await pay();
  expect(await ledgerOf(db, payment)).toEqual({ user: -full, business: 9_900_000n, fees: 100_000n });
  expect(await auditFindings(db)).toEqual([]);
});
