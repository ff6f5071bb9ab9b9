import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { noHints, silentLog, type TestClock, testClock } from '../../test/support/fixtures.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { createAsker } from './ask.ts';
import { readRateBook } from './rate-book.ts';
import { readRates } from './read-rates.ts';
import { demo } from './sources/demo.ts';
import { openSources } from './sources/known.ts';
import type { RateSource } from './sources/source.ts';

const { db } = await testDatabase();
let clock: TestClock;
beforeEach(async () => {
  clock = testClock();
  await emptyTables(db, 'known_rates, typed_rates, rate_answers, rate_sources, leases');
});

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

type Source = { url: string; asked: number; answer: (response: ServerResponse) => void };

/** An address of the operator's that answers with what it is told to. */
async function openSource(body: unknown, status = 200): Promise<Source> {
  const source: Source = {
    url: '',
    asked: 0,
    answer: (response) => response.writeHead(status, { location: source.url }).end(JSON.stringify(body)),
  };
  const server = createServer((_, response) => {
    source.asked++;
    source.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/usd`;
  return source;
}

const asker = (sources: readonly RateSource[], log = silentLog) =>
  createAsker({ db, hints: noHints, sources, log, now: clock.now });
const ask = (...sources: Source[]) => asker(openSources(sources.map(({ url }) => url))).run();

async function live(currency: string, priceCurrency: string): Promise<string | null> {
  const wanted = { currency: currency as Currency, priceCurrency: priceCurrency as PriceCurrency };
  const [found] = await readRates(db, [{ ...wanted, integrationId: '' as never, mode: 'live' }], clock.now());
  return found?.rate ?? null;
}
const faults = async () => (await readRateBook(db)).sources.map(({ fault }) => fault);

test('two addresses that agree make a rate, in USD and in the currencies that they name', async () => {
  const [a, b] = [
    await openSource({ PI: '0.42', USDC: { USD: 1, EUR: '0.92' } }),
    await openSource({ PI: 0.421, USDC: { USD: '1.001', EUR: '0.9201' }, USD: { JPY: '155.5' } }),
  ];
  await ask(a, b);
  expect([await live('PI', 'USD'), await live('USDC', 'EUR')]).toEqual(['0.4205', '0.92005']);
  expect(await live('PI', 'JPY')).toBe('65.38775');
});

test('with one source configured that one is enough; with two, one that answers is not', async () => {
  const [a, b] = [await openSource({ PI: '0.42' }), await openSource({ PI: '0.42' }, 500)];
  await ask(a, b);
  expect(await live('PI', 'USD')).toBeNull();
  await emptyTables(db, 'rate_answers, rate_sources, leases');
  await ask(a);
  expect(await live('PI', 'USD')).toBe('0.42');
});

test('answers are left alone for their time, and are too old after 120 seconds', async () => {
  const source = await openSource({ PI: '0.42' });
  await ask(source);
  await emptyTables(db, 'leases');
  clock.advance(29);
  await ask(source);
  expect(source.asked).toBe(1);
  clock.advance(91);
  expect(await live('PI', 'USD')).toBe('0.42');
  clock.advance(1);
  expect(await live('PI', 'USD')).toBeNull();
});

test('one process asks; another one takes over when it has left', async () => {
  const source = await openSource({ PI: '0.42' });
  const sources = openSources([source.url]);
  const [first, second] = [asker(sources), asker(sources)];
  await first.run();
  clock.advance(30);
  await second.run();
  expect(source.asked).toBe(1);
  await first.leave();
  await second.run();
  expect(source.asked).toBe(2);
});

test('a source that the configuration names no longer is gone with its answers', async () => {
  const [a, b] = [await openSource({ PI: '0.42' }), await openSource({ PI: '0.42' })];
  await ask(a, b);
  await emptyTables(db, 'leases');
  await ask(b);
  expect((await readRateBook(db)).sources).toHaveLength(1);
  expect((await readRateBook(db)).answers).toHaveLength(1);
  await emptyTables(db, 'leases');
  await asker([]).run();
  expect(await live('PI', 'USD')).toBeNull();
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['fails', (response) => response.writeHead(500).end('{"PI": "7"}'), /^answered 500$/],
  ['leads elsewhere', (response) => response.writeHead(302, { location: '/' }).end(), /^answered 302$/],
  ['answers HTML', (response) => response.end('<html>'), /^answered no JSON$/],
  ['answers nothing', (response) => response.end(), /^answered no JSON$/],
  ['answers a list', (response) => response.end('[1]'), /^answered in another form$/],
  ['answers null', (response) => response.end('null'), /^answered in another form$/],
  ['answers without a rate', (response) => response.end('{"message": "quota"}'), /^answered without a rate$/],
  ['breaks off', (response) => response.destroy(), /\w/],
  ['answers without end', (response) => flood(response), /^answered more than 512 KB$/],
])('a source that %s gives no rate, and operators see why', async (_, answer, fault) => {
  const [bad, good] = [await openSource({}), await openSource({ PI: '0.5' })];
  bad.answer = answer;
  await ask(bad, good);
  expect(await faults()).toEqual([expect.stringMatching(fault), null]);
});

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

test('only positive plain decimals are rates, and what was said instead is kept', async () => {
  const said =
    '{"PI": "NaN", "USDC": -1, "USDT": 0, "CSK": "1e3", "USD": {"EUR": "0,92", "GBP": {}, "JPY": 1e400}}';
  const source = await openSource({});
  source.answer = (response) => response.end(said);
  await ask(source);
  const { answers } = await readRateBook(db);
  expect(answers.map(({ rate }) => rate)).toEqual(Array(7).fill(null));
  expect(answers.find(({ currency }) => currency === 'CSK')?.fault).toBe(
    'said "1e3", which is no positive decimal',
  );
});

test('a wrong answer leaves the earlier rate of its pair until that is too old', async () => {
  const source = await openSource({ PI: '0.42' });
  await ask(source);
  await emptyTables(db, 'leases');
  clock.advance(30);
  source.answer = (response) => response.end('{"PI": 0}');
  await ask(source);
  expect(await live('PI', 'USD')).toBe('0.42');
  expect((await readRateBook(db)).answers[0]?.fault).toBe('said 0, which is no positive decimal');
  clock.advance(91);
  expect(await live('PI', 'USD')).toBeNull();
});

test('the address of a source is not stored or logged, since it may hold a key', async () => {
  const source = await openSource({}, 500);
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push(line) });
  const { host } = new URL(source.url);
  await asker(openSources([`http://me:hunter2@${host}/?key=hunter3`]), log).run();
  expect(logged.join('')).toContain(host);
  const stored = JSON.stringify((await readRateBook(db)).sources);
  expect(logged.join('') + stored).not.toMatch(/hunter/);
});

test('the demo networks bring rates of their own', async () => {
  await asker([demo({ PI: '2' })]).run();
  expect(
    await Promise.all([live('PI', 'USD'), live('USDC', 'EUR'), live('CSK', 'GBP'), live('USDT', 'JPY')]),
  ).toEqual(['2', '0.8', '0.8', '100']);
  expect(await live('USDC', 'CHF')).toBeNull();
});
