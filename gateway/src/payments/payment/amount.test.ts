import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop } from '../../../test/support/payment-fixtures.ts';
import type { Currency } from '../../money/assets.ts';
import { feeOf } from './amount.ts';

const { db } = await testDatabase();

describe('the minimum', () => {
  const usd: Record<Currency, string> = { PI: '0.42', USDC: '1', USDT: '1', CSK: '2' };
  const rates = (currency: Currency) => usd[currency];

  test.each([
    ['USDC', 1, 0.999999, '1.00'],
    ['PI', 1, 0.9999999, '1.00'],
    ['USDT', 5, 4.999999, '5.00'],
    ['CSK', 5, 4.999999, '5.00'],
  ])('of %s in test mode is %d, whatever the rates', async (currency, amount, less, min) => {
    const shop = await openShop(db, {}, { rates });
    await shop.create({ currency, amount });
    await expect(shop.create({ currency, amount: less })).rejects.toThrow(
      `amount is below the minimum of ${min} USD for ${currency}`,
    );
  });

  test.each([
    // At 0.42 USD a dollar is 2.380952... PI; at 2 USD five dollars are 2.5 CSK.
    ['PI', 2.3809524, 2.3809523],
    ['CSK', 2.5, 2.499999],
    ['USDT', 5, 4.999999],
  ])('of %s in live mode goes by its rate', async (currency, amount, less) => {
    const shop = await openShop(db, { approved: true }, { mode: 'live', rates });
    await shop.create({ currency, amount });
    await expect(shop.create({ currency, amount: less })).rejects.toThrow('amount is below the minimum of');
  });
});

test('a currency whose rate nobody knows is refused in live mode, before anything else of the payment is judged', async () => {
  const rates = (currency: Currency) => (currency === 'PI' ? null : '1');
  const live = await openShop(db, {}, { mode: 'live', rates });
  await expect(live.create({ currency: 'PI' })).rejects.toThrow('Currency not supported');
  await expect(live.create()).rejects.toThrow('Integration is not yet approved');
  const test = await openShop(db, {}, { rates });
  expect((await test.create({ currency: 'PI' })).status).toBe('unlinked');
});

describe('the fee', () => {
  test.each([
    ['merchant', 10_000_000n],
    ['customer', 10_100_000n],
  ])(
    'is one percent unless the integration has another, and the %s pays it',
    async (fee_payer, amountDue) => {
      const shop = await openShop(db);
      const payment = await shop.create({ fee_payer });
      expect(payment).toMatchObject({ amount: 10_000_000n, fee: 100_000n, amountDue });
    },
  );

  test("and its payer are the integration's when the request names none", async () => {
    const shop = await openShop(db, { feePayer: 'customer', fee: { bps: 250, fixed: '0.1' } });
    expect(await shop.create()).toMatchObject({
      fee: 350_000n,
      feePayer: 'customer',
      amountDue: 10_350_000n,
    });
    expect(await shop.create({ fee_payer: 'merchant' })).toMatchObject({ amountDue: 10_000_000n });
  });

  test('is frozen when the payment is created', async () => {
    const shop = await openShop(db);
    const { id } = await shop.create();
    await db.query(`UPDATE integrations SET fee = '{"bps": 900}' WHERE id = $1`, [
      shop.caller.integration.id,
    ]);
    const { rows } = await db.query('SELECT fee, amount_due FROM payments WHERE id = $1', [id]);
    expect(rows).toEqual([{ fee: 100_000n, amount_due: 10_000_000n }]);
  });

  test.each([
    ['half a unit up', { bps: 100 }, 50n, 1n],
    ['less than half a unit down', { bps: 100 }, 49n, 0n],
    ['the fixed part on top', { bps: 100, fixed: '0.05' }, 1000n, 15n],
    ['up to the floor', { bps: 100, floor: '0.2' }, 1000n, 20n],
    ['down to the cap', { bps: 100, cap: '0.07' }, 1000n, 7n],
    ['no cap where it is null', { bps: 100, cap: null }, 1000n, 10n],
    ['never to more than the amount', { bps: 100, floor: '50' }, 1000n, 1000n],
    ['to nothing where nothing is charged', { bps: 0 }, 1000n, 0n],
  ])('is rounded or bounded: %s', (_, terms, amount, fee) => {
    expect(feeOf(terms, amount, 2)).toBe(fee);
  });

  test('is never negative, never more than the amount, and never less for a larger amount', () => {
    const decimal = fc
      .nat(1000)
      .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
    const terms = fc.record({ bps: fc.nat(10_000), fixed: decimal, floor: decimal, cap: fc.option(decimal) });
    fc.assert(
      fc.property(terms, fc.bigInt(1n, 10n ** 9n), fc.bigInt(0n, 10n ** 9n), (fee, amount, more) => {
        const charged = feeOf(fee, amount, 2);
        expect(charged >= 0n && charged <= amount).toBe(true);
        expect(feeOf(fee, amount + more, 2) >= charged).toBe(true);
      }),
    );
  });
});
