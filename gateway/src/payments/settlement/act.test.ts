import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  change,
  eventTypesOf,
  ledgerOf,
  openShop,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { Payment } from '../payment/payment.ts';
import {
  cancelPayment,
  claimPaid,
  disputableUntil,
  disputePayment,
  expirePayment,
  failPayment,
  linkPayment,
} from './act.ts';

const day = 24 * 3600;

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});

const status = () => statusOf(shop, payment);
const now = () => paymentById(db, payment.id);
const choose = (method: string) => write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, method));
const cancel = (by: 'customer' | 'merchant') =>
  write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, by));
const dispute = (reason = 'Nothing came') =>
  write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, reason));
const pay = (units = 10_000_000n, state: 'seen' | 'final' = 'final') =>
  report(shop, payment, { key: payment.id, units, state });

describe('choosing how to pay', () => {
  test.each(['usdc-erc20', 'usdc-bep20', 'wallet'])('by %s links the payment', async (method) => {
    await choose(method);
    expect(await now()).toMatchObject({ status: 'linked', method, linkedAt: shop.clock.now() });
    expect(await eventTypesOf(db, payment)).toEqual(['linked']);
  });

  test('anew changes the method and nothing else', async () => {
    await choose('usdc-erc20');
    const linked = await now();
    shop.clock.advance(60);
    await choose('wallet');
    expect(await now()).toEqual({ ...linked, method: 'wallet', version: linked.version + 1 });
    expect(await eventTypesOf(db, payment)).toEqual(['linked']);
  });

  test('by a bare currency means its default network', async () => {
    await choose('usdc');
    expect((await now()).method).toBe('usdc-erc20');
  });

  test.each(['pi', 'usdt-erc20', 'toString', ''])(
    'by %j, which is not of its currency, is refused',
    async (method) => {
      await expect(choose(method)).rejects.toThrow('Not possible while the payment is unlinked');
      expect(await now()).toEqual(payment);
    },
  );

  test('is over once money was seen', async () => {
    await pay(1_000_000n, 'seen');
    await expect(choose('wallet')).rejects.toThrow('Not possible while the payment is pending');
  });

  test('after the deadline ends the payment instead of reviving it', async () => {
    shop.clock.advance(600);
    await choose('wallet');
    expect(await status()).toBe('cancelled abandoned');
  });
});

describe('cancelling', () => {
  test.each(['customer', 'merchant'] as const)('by the %s ends an open payment', async (by) => {
    await cancel(by);
    expect(await status()).toBe(`cancelled ${by}`);
    expect((await now()).dueAt).toBeNull();
    expect(await eventTypesOf(db, payment)).toEqual(['cancelled']);
  });

  test('is refused once money was seen, once it was cancelled and once it was paid', async () => {
    const refusal = 'Payment can no longer be cancelled';
    await pay(undefined, 'seen');
    await expect(cancel('customer')).rejects.toThrow(refusal);
    await pay();
    await expect(cancel('merchant')).rejects.toThrow(refusal);
    payment = await shop.create();
    await cancel('customer');
    await expect(cancel('customer')).rejects.toThrow(refusal);
  });

  test('and paying at the same instant end in one of the two, and no money is lost', async () => {
    const races = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const each = await shop.create();
        await Promise.allSettled([
          write(shop, (tx) => cancelPayment(tx, shop.deps, each.id, 'customer')),
          report(shop, each, { key: each.id, units: 10_000_000n }),
        ]);
        return { end: await statusOf(shop, each), booked: (await ledgerOf(db, each)).external };
      }),
    );
    for (const { end, booked } of races) {
      expect(['completed', 'in-appeal paid_after_end']).toContain(end);
      expect(booked).toBe(-10_000_000n);
    }
  });
});

describe('a dispute', () => {
  test('within 30 days of completion brings the payment to appeal, with its reason noted', async () => {
    await pay();
    const until = disputableUntil(await now());
    expect(until).toEqual(new Date(shop.clock.now().getTime() + 30 * day * 1000));
    shop.clock.advance(30 * day);
    await dispute();
    expect(await status()).toBe('in-appeal disputed');
    const { rows } = await db.query('SELECT kind, content FROM payment_claims WHERE payment_id = $1', [
      payment.id,
    ]);
    expect(rows).toEqual([{ kind: 'dispute', content: 'Nothing came' }]);
  });

  test('is refused after 30 days', async () => {
    await pay();
    shop.clock.advance(30 * day + 1);
    await expect(dispute()).rejects.toThrow('Not possible while the payment is completed');
  });

  test('is refused before completion, and a second time', async () => {
    await expect(dispute()).rejects.toThrow('Not possible while the payment is unlinked');
    await pay();
    await dispute();
    await expect(dispute('again')).rejects.toThrow('Not possible while the payment is in-appeal');
  });
});

test('a simulated failure of a part-paid payment goes on to appeal, for money is there', async () => {
  await pay(5_000_000n);
  await change(shop, payment, (changes) => failPayment(changes, payment.id));
  expect(await status()).toBe('in-appeal paid_after_end');
  expect(await eventTypesOf(db, payment)).toEqual(['pending', 'failed', 'in_appeal']);
});

test('a deadline that is let pass counts what was seen until that moment', async () => {
  await pay(undefined, 'seen');
  shop.clock.advance(30);
  await change(shop, payment, (changes) => expirePayment(changes, payment.id));
  expect(await status()).toBe('pending');
  await pay();
  expect(await status()).toBe('completed');
});

describe('a claim to have paid', () => {
  test('is one of twenty at most', async () => {
    for (let made = 0; made < 20; made++) await claim(`0xabc${made}`);
    await expect(claim('0xabc20')).rejects.toThrow('This payment has 20 claims already');
    await claim('0xabc7');
  });

  const claim = (transaction: string) =>
    write(shop, (tx) => claimPaid(tx, payment.id, transaction, shop.clock.now()));

  test('is noted once, however often it is made, and moves nothing', async () => {
    await claim('0xabc');
    await claim('0xabc');
    const { rows } = await db.query('SELECT kind, content FROM payment_claims WHERE payment_id = $1', [
      payment.id,
    ]);
    expect(rows).toEqual([{ kind: 'paid', content: '0xabc' }]);
    expect(await now()).toEqual(payment);
  });

  test('is refused when the payment is completed', async () => {
    await pay();
    await expect(claim('0xabc')).rejects.toThrow('Not possible while the payment is completed');
  });
});
