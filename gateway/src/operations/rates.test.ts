import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { silentLog } from '../../test/support/fixtures.ts';
import type { RatesConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import type { Currency } from '../money/assets.ts';
import { openRates } from './rates.ts';

type Source = { url: string; asked: number; answer: { status: number; body: string } };

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A rate source that answers with the current `answer`. */
async function openSource(body: unknown, status = 200): Promise<Source> {
  const source = { url: '', asked: 0, answer: { status, body: JSON.stringify(body) } };
  const server = createServer((_, response) => {
    source.asked++;
    response.writeHead(source.answer.status, { location: source.url }).end(source.answer.body);
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

const { db } = await testDatabase();
beforeEach(() => emptyTables(db, 'known_rates'));

const opened = (config: RatesConfig, log = silentLog, offered: Currency[] = []) =>
  openRates({ db, config, offered, log, now: systemClock });
const ratesOf = (...sources: Source[]) => opened({ kind: 'sources', urls: sources.map(({ url }) => url) });

test('a table is used as it is; what it lacks has no rate, but for dollars', async () => {
  const { rates, refresh } = await opened({ kind: 'table', usd: { PI: '0.42' } });
  await refresh();
  expect([rates('PI'), rates('CSK'), rates('USDC'), rates('USDT')]).toEqual(['0.42', null, '1', '1']);
});

test('operators are told once of the currencies that a network takes and that have no rate', async () => {
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(line) });
  const { refresh } = await opened({ kind: 'table', usd: {} }, log, ['PI', 'USDC', 'CSK']);
  await refresh();
  await refresh();
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, currencies: ['PI', 'CSK'] }),
  ]);
});

test('the first source that answers is used, and the next is not asked', async () => {
  const [first, second] = [await openSource({ PI: '0.42', CSK: 1.1 }), await openSource({ PI: '9' })];
  const { rates, refresh } = await ratesOf(first, second);
  expect(rates('PI')).toBeNull();
  await refresh();
  expect([rates('PI'), rates('CSK'), rates('USDC')]).toEqual(['0.42', '1.1', '1']);
  expect(second.asked).toBe(0);
});

test('what a source once said is known after a restart, though none answers any more', async () => {
  const source = await openSource({ PI: '0.42' });
  await (await ratesOf(source)).refresh();
  source.answer.status = 503;
  const { rates, refresh } = await ratesOf(source);
  expect(rates('PI')).toBe('0.42');
  await refresh();
  expect([rates('PI'), rates('CSK')]).toEqual(['0.42', null]);
  expect((await opened({ kind: 'table', usd: {} })).rates('PI')).toBeNull();
});

test.each<[string, unknown, number?]>([
  ['fails', { PI: '7' }, 500],
  ['leads elsewhere', { PI: '7' }, 302],
  ['answers no object', 'PI 7'],
  ['answers null', null],
  ['answers without a single rate', { message: 'quota exceeded' }],
])('the next source is asked when the first %s', async (_, body, status) => {
  const { rates, refresh } = await ratesOf(await openSource(body, status), await openSource({ PI: '0.5' }));
  await refresh();
  expect(rates('PI')).toBe('0.5');
});

test('the next source is asked when the first cannot be reached or answers no JSON', async () => {
  const broken = await openSource(null);
  broken.answer.body = '<html>';
  const gone = { ...broken, url: 'http://127.0.0.1:1/usd' };
  const { rates, refresh } = await ratesOf(gone, broken, await openSource({ PI: '0.5' }));
  await refresh();
  expect(rates('PI')).toBe('0.5');
});

test('when every source is down the last known rates stay, and their age is logged', async () => {
  const source = await openSource({ PI: '0.42' });
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line) => logged.push(line) });
  const { rates, refresh } = await opened({ kind: 'sources', urls: [source.url] }, log);
  source.answer.status = 503;
  await refresh();
  source.answer.status = 200;
  await refresh();
  source.answer.status = 503;
  await refresh();

  expect(rates('PI')).toBe('0.42');
  const lines = logged.map((line) => JSON.parse(line) as { level: number; ageSeconds?: number | null });
  const ages = lines.filter(({ level }) => level === 50).map(({ ageSeconds }) => ageSeconds);
  expect(ages).toEqual([null, 0]);
});

test('a rate that is no positive decimal leaves the known one in use', async () => {
  const source = await openSource({ PI: '0.42', USDC: '1', CSK: '2' });
  const { rates, refresh } = await ratesOf(source);
  await refresh();
  source.answer.body = '{"PI": -1, "USDC": "0", "USDT": {}, "CSK": "3", "__proto__": "5", "pi": "6"}';
  await refresh();
  expect([rates('PI'), rates('USDC'), rates('USDT'), rates('CSK')]).toEqual(['0.42', '1', '1', '3']);
});

test('the address of a source is not logged, since it may hold a key', async () => {
  const source = await openSource({}, 500);
  const logged: string[] = [];
  const log = pino({}, { write: (line) => logged.push(line) });
  const { host } = new URL(source.url);
  const urls = [`http://me:hunter2@${host}/?key=hunter3`];
  await (await opened({ kind: 'sources', urls }, log)).refresh();
  expect(logged.join('')).toContain(host);
  expect(logged.join('')).not.toMatch(/hunter/);
});
