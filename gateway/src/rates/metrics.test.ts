import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { testClock } from '../../test/support/fixtures.ts';
import { after } from '../kit/clock.ts';
import { countRatesToCare, createRateMetrics } from './metrics.ts';

const { db } = await testDatabase();
const { now } = testClock();
beforeEach(() => emptyTables(db, 'typed_rates, rate_answers, rate_sources'));

async function say(source: string, pair: string, rate: string, secondsAgo: number): Promise<void> {
  await db.query(
    'INSERT INTO rate_sources (name, place, quotes_coins) VALUES ($1, 1, true) ON CONFLICT DO NOTHING',
    [source],
  );
  await db.query('INSERT INTO rate_answers VALUES ($1, $2, $3, $4, $5)', [
    ...pair.split('/'),
    ...[source, rate, after(now(), -secondsAgo)],
  ]);
}

test('pairs without a rate, coins that left their dollar, ages and failing sources are measured', async () => {
  for (const source of ['a', 'b']) {
    await say(source, 'USDC/USD', '1', 10);
    await say(source, 'USDT/USD', '0.9', 20);
    await say(source, 'PI/USD', '0.4', 500);
  }
  await db.query("UPDATE rate_sources SET fault = 'answered 500' WHERE name = 'b'");
  const registry = new Registry();
  createRateMetrics(registry, { db, offered: ['USDC', 'USDT', 'PI'], now });
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const pair = (currency: string) => `{currency="${currency}",price_currency="USD"}`;
  expect(lines.sort()).toEqual(
    [
      `florin_rate_age_seconds${pair('PI')} 500`,
      `florin_rate_age_seconds${pair('USDC')} 10`,
      `florin_rate_age_seconds${pair('USDT')} 20`,
      `florin_rate_missing${pair('PI')} 1`,
      `florin_rate_missing${pair('USDC')} 0`,
      `florin_rate_missing${pair('USDT')} 0`,
      `florin_rate_away${pair('USDC')} 0`,
      `florin_rate_away${pair('USDT')} 1`,
      'florin_rate_source_failing{source="a"} 0',
      'florin_rate_source_failing{source="b"} 1',
    ].sort(),
  );
});

test('operators look after pairs of the currencies that are offered, and no others', async () => {
  await say('a', 'PI/USD', '0.4', 500);
  await say('a', 'CSK/USD', '0.4', 500);
  expect(await countRatesToCare({ db, offered: ['PI'] }, now())).toBe(1);
  expect(await countRatesToCare({ db, offered: [] }, now())).toBe(0);
});
