import { expect, test } from 'vitest';

import { testDatabase } from '../../../test/support/database.ts';
import { currencies, currencyScale } from '../../money/assets.ts';
import { minorDigits, priceCurrencies } from '../../money/price-currencies.ts';

const { db } = await testDatabase();

test('what a payment asks is the same number in every currency of payments, and of prices', async () => {
  const asked = [
    ...currencies.map((code) => ({ amount: 125n * 10n ** BigInt(currencyScale[code] - 1), currency: code })),
    ...priceCurrencies.map((code) => ({ price: 10n ** BigInt(minorDigits(code)), price_currency: code })),
  ];
  const { rows } = await db.query<{ asked: number; size: number }>(
    `SELECT asked, size_of(asked) AS size FROM (
       SELECT asked_of(amount, currency, price, price_currency) AS asked
       FROM json_to_recordset($1) AS t (amount numeric, currency text, price bigint, price_currency text)) t`,
    [JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}` : value))],
  );
  const [coin, price] = [12.5, 1];
  expect(rows.map((row) => row.asked)).toEqual([
    ...currencies.map(() => coin),
    ...priceCurrencies.map(() => price),
  ]);
  expect(new Set(rows.map(({ size }) => size))).toEqual(new Set([Math.floor(Math.log(coin) * 64), 0]));
});

test('any number has a size, and a larger one no smaller size', async () => {
  const { rows } = await db.query<{ size: number }>(
    'SELECT size_of(asked) AS size FROM unnest($1::float8[]) AS t (asked)',
    [[0, 1e-12, 1e-7, 0.01, 1, 1.02, 500, 510, 1e15, 1e300]],
  );
  const sizes = rows.map(({ size }) => size);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
});
