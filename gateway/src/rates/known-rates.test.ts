import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { noHints, silentLog, type TestClock, testClock } from '../../test/support/fixtures.ts';
import { after } from '../kit/clock.ts';
import type { Currency } from '../money/assets.ts';
import { createAsker } from './ask.ts';
import type { RatesConfig } from './config.ts';
import { followKnownRates } from './known-rates.ts';
import type { RateSource } from './sources/source.ts';

const { db } = await testDatabase();
let clock: TestClock;
beforeEach(async () => {
  clock = testClock();
  await emptyTables(db, 'known_rates, typed_rates, rate_answers, rate_sources, leases');
});

const fromSources: RatesConfig = { kind: 'sources', sources: [] };
const follow = (config: RatesConfig = fromSources, log = silentLog, offered: Currency[] = []) =>
  followKnownRates({ db, hints: noHints, config, offered, log, now: clock.now });

/** A source of USD rates that a test changes; null: it fails. */
function saying(name: string, usd: Record<string, unknown> | null): RateSource & { usd: typeof usd } {
  return {
    usd,
    name,
    quotesCoins: true,
    everySeconds: 30,
    async ask() {
      if (this.usd === null) throw new Error('answered 503');
      return Object.entries(this.usd).map(([currency, value]) => ({ currency, priceCurrency: 'USD', value }));
    },
  };
}

async function round(sources: RateSource[], log = silentLog): Promise<void> {
  clock.advance(30);
  await createAsker({ db, hints: noHints, sources, log, now: clock.now }).run();
  await emptyTables(db, 'leases');
}

test('a table is used as it is; what it lacks has no rate, but for dollars', async () => {
  const { rates } = await follow({ kind: 'table', usd: { PI: '0.42' } });
  expect([rates('PI'), rates('CSK'), rates('USDC'), rates('USDT')]).toEqual(['0.42', null, '1', '1']);
});

test('operators are told once of the currencies that a network takes and that have no rate', async () => {
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(line) });
  const { refresh } = await follow({ kind: 'table', usd: {} }, log, ['PI', 'USDC', 'CSK']);
  await refresh();
  await refresh();
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, currencies: ['PI', 'CSK'] }),
  ]);
});

test('where sources agree, the minimum has the rate of the rule; else that of the first source that answers', async () => {
  const [first, second] = [saying('a', { PI: '0.42' }), saying('b', { PI: '0.424', CSK: 1.1 })];
  const { rates, refresh } = await follow();
  expect(rates('PI')).toBeNull();
  await round([first, second]);
  await refresh();
  expect([rates('PI'), rates('CSK'), rates('USDC')]).toEqual(['0.422', '1.1', '1']);
  second.usd = { PI: '9' };
  await round([first, second]);
  await refresh();
  expect(rates('PI')).toBe('0.42');
  first.usd = null;
  await round([first, second]);
  clock.advance(180);
  await round([first, second]);
  await refresh();
  expect(rates('PI')).toBe('9');
});

test('what a source once said is known after a restart, though none answers any more', async () => {
  const source = saying('a', { PI: '0.42' });
  await round([source]);
  source.usd = null;
  clock.advance(30 * 86_400);
  await round([source]);
  const { rates } = await follow();
  expect([rates('PI'), rates('CSK')]).toEqual(['0.42', null]);
  expect((await follow({ kind: 'table', usd: {} })).rates('PI')).toBeNull();
});

test('a typed rate in USD sets the minimum while it holds, before a table and before sources', async () => {
  await db.query('INSERT INTO typed_rates VALUES ($1, $2, $3, $4, $5)', [
    ...['CSK', 'USD', '2'],
    ...[clock.now(), after(clock.now(), 60)],
  ]);
  const { rates, refresh } = await follow({ kind: 'table', usd: { CSK: '1' } });
  await refresh();
  expect(rates('CSK')).toBe('2');
  clock.advance(60);
  await refresh();
  expect(rates('CSK')).toBe('1');
});

test('on demo networks each coin counts one dollar, unless the operator says otherwise', async () => {
  const { rates } = await follow({ kind: 'demo', usd: { PI: '0.42' } });
  expect([rates('PI'), rates('CSK'), rates('USDT')]).toEqual(['0.42', '1', '1']);
});

test('when every source is down the last known rates stay, and their age is logged', async () => {
  const source = saying('a', null);
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(line) });
  await round([source], log);
  source.usd = { PI: '0.42' };
  await round([source], log);
  source.usd = null;
  await round([source], log);
  expect((await follow()).rates('PI')).toBe('0.42');
  const lines = logged.map((line) => JSON.parse(line) as { level: number; ageSeconds?: number | null });
  const ages = lines.filter(({ level }) => level === 50).map(({ ageSeconds }) => ageSeconds);
  expect(ages).toEqual([null, 30]);
});

test('a rate that is no positive decimal leaves the known one in use', async () => {
  const source = saying('a', { PI: '0.42', USDC: '1', CSK: '2' });
  await round([source]);
  source.usd = JSON.parse('{"PI": -1, "USDC": "0", "USDT": {}, "CSK": "3", "__proto__": "5", "pi": "6"}');
  await round([source]);
  const { rates } = await follow();
  expect([rates('PI'), rates('USDC'), rates('USDT'), rates('CSK')]).toEqual(['0.42', '1', '1', '3']);
});
