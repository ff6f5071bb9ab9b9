import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { seedIntegration } from '../../test/support/fixtures.ts';
import { after } from '../kit/clock.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { readRates } from './read-rates.ts';

const { db } = await testDatabase();
const { integrationId } = await seedIntegration(db);
const now = new Date('2026-03-01T12:00:00Z');

beforeEach(() => emptyTables(db, 'test_rates, typed_rates, rate_answers, rate_sources'));

const wanted = (mode: 'test' | 'live', pair: string) => {
  const [currency, priceCurrency] = pair.split('/') as [Currency, PriceCurrency];
  return { integrationId, mode, currency, priceCurrency };
};

async function rateOf(mode: 'test' | 'live', pair: string): Promise<string | null> {
  const [found] = await readRates(db, [wanted(mode, pair)], now);
  return found?.rate ?? null;
}

async function say(source: string, pair: string, rate: string, secondsAgo = 10): Promise<void> {
  await db.query(
    `INSERT INTO rate_sources (name, place, quotes_coins) VALUES ($1, 1, $2) ON CONFLICT DO NOTHING`,
    [source, source !== 'ecb'],
  );
  await db.query('INSERT INTO rate_answers VALUES ($1, $2, $3, $4, $5)', [
    ...pair.split('/'),
    ...[source, rate, after(now, -secondsAgo)],
  ]);
}

const type = (pair: string, rate: string, seconds: number) =>
  db.query('INSERT INTO typed_rates VALUES ($1, $2, $3, $4, $5)', [
    ...pair.split('/'),
    ...[rate, now, after(now, seconds)],
  ]);

test.each([
  ['USDC/USD', '1'],
  ['PI/EUR', '0.8'],
  ['CSK/GBP', '0.8'],
  ['USDT/JPY', '100'],
  ['PI/CHF', '1'],
])('in test mode %s is %s', async (pair, rate) => {
  expect(await rateOf('test', pair)).toBe(rate);
});

test('an integration replaces a test rate for itself alone, and no other pair', async () => {
  await db.query('INSERT INTO test_rates VALUES ($1, $2, $3, $4)', [integrationId, 'PI', 'EUR', '0.25']);
  expect(await rateOf('test', 'PI/EUR')).toBe('0.25');
  expect(await rateOf('test', 'PI/GBP')).toBe('0.8');
  const { integrationId: other } = await seedIntegration(db);
  const [found] = await readRates(db, [{ ...wanted('test', 'PI/EUR'), integrationId: other }], now);
  expect(found?.rate).toBe('0.8');
  expect(await rateOf('live', 'PI/EUR')).toBeNull();
});

test('a live rate is the median of sources that agree, with what each said', async () => {
  await say('kraken', 'USDC/EUR', '0.92');
  await say('bitstamp', 'USDC/EUR', '0.921', 5);
  await say('coinbase', 'USDC/EUR', '9.2');
  expect(await readRates(db, [wanted('live', 'USDC/EUR')], now)).toEqual([
    {
      ...{ rate: '0.9205', units: 920_500_000_000n, at: after(now, -5) },
      sources: [
        { name: 'kraken', rate: '0.92', at: after(now, -10).toISOString() },
        { name: 'bitstamp', rate: '0.921', at: after(now, -5).toISOString() },
      ],
    },
  ]);
});

test('a pair of which nobody speaks is crossed through USD, and its sources name their pairs', async () => {
  await say('kraken', 'USDC/USD', '1.001');
  await say('bitstamp', 'USDC/USD', '1.001');
  expect(await rateOf('live', 'USDC/CHF')).toBeNull();
  await say('ecb', 'USD/CHF', '0.8123', 95 * 3600);
  const [found] = await readRates(db, [wanted('live', 'USDC/CHF')], now);
  expect(found?.rate).toBe('0.8131123');
  expect(found?.sources.map(({ name }) => name).sort()).toEqual([
    'bitstamp USDC/USD',
    'ecb USD/CHF',
    'kraken USDC/USD',
  ]);
});

test('a rate that an operator typed replaces the sources of its pair until it ends', async () => {
  await say('kraken', 'CSK/USD', '7');
  await say('bitstamp', 'CSK/USD', '7');
  await type('CSK/USD', '2', 60);
  const [typed] = await readRates(db, [wanted('live', 'CSK/USD')], now);
  expect(typed).toMatchObject({
    ...{ rate: '2', at: now },
    sources: [{ name: 'operator', rate: '2', at: now.toISOString() }],
  });
  const [ended] = await readRates(db, [wanted('live', 'CSK/USD')], after(now, 60));
  expect(ended?.rate).toBe('7');
});

test('rates are in the order in which they are wanted, those without one among them', async () => {
  await say('kraken', 'USDC/USD', '1');
  const found = await readRates(
    db,
    [
      wanted('live', 'PI/USD'),
      wanted('test', 'PI/EUR'),
      wanted('live', 'USDC/USD'),
      wanted('test', 'PI/EUR'),
    ],
    now,
  );
  expect(found.map((each) => each?.rate ?? null)).toEqual([null, '0.8', '1', '0.8']);
  expect(await readRates(db, [], now)).toEqual([]);
});
