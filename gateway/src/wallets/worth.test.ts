import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { readWorth, worthOf, worthOfAll } from './worth.ts';

const { db } = await testDatabase();
const now = new Date('2026-11-30T12:00:00Z');
const typedAt = new Date('2026-11-29T09:00:00Z');
const coin = (currency: Currency, amount: string) => ({
  currency,
  units: BigInt(Math.round(Number(amount) * 1e6)) * 10n ** 12n,
});
const usdc = coin('USDC', '46.5');
const read = (mode: 'test' | 'live', currency: string, ...coins: ReturnType<typeof coin>[]) =>
  readWorth(db, { currency: currency as PriceCurrency, mode }, coins, now);

test('coins are worth what the rate of now says, rounded to what the currency has', async () => {
  await db.query(
    `INSERT INTO typed_rates (currency, price_currency, rate, typed_at, ends_at)
     VALUES ('USDC', 'EUR', '0.866666', $1, $1::timestamptz + interval '9 days'),
       ('USDC', 'JPY', '155.5', $1, $1::timestamptz + interval '9 days'),
       ('PI', 'EUR', '0.4', $1, $1::timestamptz + interval '9 days')`,
    [typedAt],
  );
  const euros = await read('live', 'EUR', usdc, coin('PI', '10'));
  expect(euros.rateOf('USDC')).toMatchObject({ rate: '0.866666', at: typedAt });
  expect(worthOf(euros, usdc)).toBe(4030n);
  expect(worthOfAll(euros, [usdc, coin('PI', '10')])).toBe(4430n);
  expect(worthOf(await read('live', 'JPY', usdc), usdc)).toBe(7231n);
});

test('where one coin has no rate it says so, and there is no sum', async () => {
  const worth = await read('live', 'EUR', usdc, coin('CSK', '5'));
  expect(worth.rateOf('CSK')).toBeNull();
  expect(worthOf(worth, coin('CSK', '5'))).toBeNull();
  expect(worthOfAll(worth, [usdc, coin('CSK', '5')])).toBeNull();
  expect(worthOfAll(worth, [usdc])).toBe(4030n);
});

test('in test mode rates are the fixed ones of that mode, which have no time', async () => {
  const worth = await read('test', 'EUR', usdc);
  expect(worth.rateOf('USDC')).toMatchObject({ rate: '0.8', at: null });
  expect(worthOf(worth, usdc)).toBe(3720n);
});
