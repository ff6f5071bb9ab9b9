import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { cancelPayment } from '../settlement/act.ts';
import { createInfoLookup } from './info.ts';

const { db } = await testDatabase();
const findInfo = createInfoLookup(db);

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(db);
});

describe('info', () => {
  test('has the six fields of the specification and no other', async () => {
    const payment = await shop.create({ amount: 12.5, customer_email: 'jane@shop.example' });
    const time = shop.clock.now().toISOString();
    expect(await findInfo(payment.reference, null)).toEqual({
      payment_reference: payment.reference,
      amount: 12.5,
      currency: 'USDC',
      payment_status: 'unlinked',
      created_at: time,
      updated_at: time,
    });
  });

  test('has an updated_at that moves with the status', async () => {
    const payment = await shop.create();
    shop.clock.advance(60);
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'merchant'));
    expect(await findInfo(payment.reference, null)).toMatchObject({
      payment_status: 'cancelled',
      created_at: payment.createdAt.toISOString(),
      updated_at: shop.clock.now().toISOString(),
    });
  });

  test('of a reference that does not exist is null', async () => {
    for (const reference of ['unknown', '', "'; --", 'x'.repeat(5000)])
      expect(await findInfo(reference, null)).toBeNull();
  });

  test('asked for many at once answers each with its own', async () => {
    const payments = await Promise.all(Array.from({ length: 100 }, () => shop.create()));
    const infos = await Promise.all(
      payments.flatMap(({ reference }) => [findInfo(reference, null), findInfo('unknown', null)]),
    );
    expect(infos.map((info) => info?.payment_reference ?? null)).toEqual(
      payments.flatMap(({ reference }) => [reference, null]),
    );
  });

  test('without an owner is of the test payment that only one integration has', async () => {
    await shop.create({ payment_reference: 'alone', amount: 11 });
    expect(await findInfo('alone', null)).toMatchObject({ amount: 11 });
    const stranger = await openShop(db);
    await stranger.create({ payment_reference: 'alone', amount: 12 });
    expect(await findInfo('alone', null)).toBeNull();
    expect(await findInfo('alone', shop.owner)).toMatchObject({ amount: 11 });
    expect(await findInfo('alone', stranger.owner)).toMatchObject({ amount: 12 });
  });

  test('without an owner is of the live payment, whoever has a test payment of that reference', async () => {
    const live = await openShop(db, { approved: true }, { mode: 'live' });
    await live.create({ payment_reference: 'both', amount: 13 });
    for (const amount of [14, 15]) {
      const stranger = await openShop(db);
      await stranger.create({ payment_reference: 'both', amount });
      expect(await findInfo('both', stranger.owner)).toMatchObject({ amount });
    }
    expect(await findInfo('both', null)).toMatchObject({ amount: 13 });
  });

  test('for an owner is of its own payments in its mode alone', async () => {
    const { reference } = await shop.create();
    expect(await findInfo(reference, { ...shop.owner, mode: 'live' })).toBeNull();
    expect(await findInfo(reference, (await openShop(db)).owner)).toBeNull();
  });
});
