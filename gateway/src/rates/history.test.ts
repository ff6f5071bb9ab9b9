import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedIntegration } from '../../test/support/fixtures.ts';
import { after } from '../kit/clock.ts';
import { transaction } from '../kit/db/db.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { noteLiveRates, readPastRates, setAccountingCurrency } from './history.ts';

const { db } = await testDatabase();
const { integrationId } = await seedIntegration(db);
const start = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => after(start, seconds);

async function type(rate: string, from: number, until: number): Promise<void> {
  await db.query(
    `INSERT INTO typed_rates VALUES ('CSK', 'USD', $1, $2, $3)
     ON CONFLICT (currency, price_currency) DO UPDATE SET rate = $1, typed_at = $2, ends_at = $3`,
    [rate, at(from), at(until)],
  );
}

const rateAt = async (seconds: number) =>
  (await readPastRates(db, { integrationId, mode: 'live' }, [{ currency: 'CSK', at: at(seconds) }]))[0];

test('what a rate was is known later, and that there was none', async () => {
  await noteLiveRates(db, at(0));
  await type('2', 10, 100);
  await noteLiveRates(db, at(20));
  await noteLiveRates(db, at(30));
  await type('3', 40, 100);
  await noteLiveRates(db, at(50));
  await noteLiveRates(db, at(120));
  expect(await Promise.all([5, 25, 45, 60, 130].map(rateAt))).toEqual([
    ...[null, '2', '2', '3', null].map((rate) => ({ priceCurrency: 'USD', rate })),
  ]);
  const { rows } = await db.query(`SELECT rate FROM rate_history WHERE currency = 'CSK' ORDER BY at`);
  expect(rows).toEqual([{ rate: '2' }, { rate: '3' }, { rate: null }]);
});

test('books are kept in another currency from when it was chosen on', async () => {
  await type('2', 200, 300);
  await db.query(`INSERT INTO rate_sources (name, place, quotes_coins) VALUES ('ecb', 1, false)`);
  await db.query(`INSERT INTO rate_answers VALUES ('USD', 'EUR', 'ecb', '0.8', $1)`, [at(190)]);
  await noteLiveRates(db, at(210));
  await transaction(db, (tx) => setAccountingCurrency(tx, integrationId, 'EUR' as PriceCurrency, at(220)));
  expect(await Promise.all([215, 225].map(rateAt))).toEqual([
    { priceCurrency: 'USD', rate: '2' },
    { priceCurrency: 'EUR', rate: '1.6' },
  ]);
});
