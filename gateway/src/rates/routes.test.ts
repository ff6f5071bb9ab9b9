import { beforeAll, describe, expect, test } from 'vitest';
import { type OpenConsole, openConsole } from '../../test/support/console.ts';
import { addQuickAccount } from '../../test/support/fixtures.ts';
import { type OperatorDesk, operatorDesk, root } from '../../test/support/operator.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { after } from '../kit/clock.ts';
import { transaction } from '../kit/db/db.ts';
import type { Rates } from './console-answers.ts';

type Listed = { items: { currency: string; rate: string; at: string; sources: { name: string }[] }[] };

let app: RunningApp;
let people: OpenConsole;
let desk: OperatorDesk;
beforeAll(async () => {
  app = await startApp({ seed: { approved: true } });
  people = await openConsole(app);
  desk = await operatorDesk(people);
});

const shown = async () => (await desk.call<Rates>('GET', `${root}/rates`)).body.data;
const read = (query: string, key = app.secretKey) => app.api<Listed>('GET', `/rates${query}`, { key });
const set = (body: object, key = app.secretKey) =>
  app.api<Listed['items'][0]>('PUT', '/test/rates', { body, key });
const pair = { currency: 'USDC', price_currency: 'EUR' };

describe('the rates of test mode', () => {
  test('are listed for any key', async () => {
    const { body } = await read('?price_currency=EUR');
    expect(body.data.items.map(({ currency, rate }) => `${currency} ${rate}`)).toEqual([
      ...['PI 0.8', 'USDC 0.8', 'USDT 0.8', 'CSK 0.8'],
    ]);
    expect(body.data.items[0]).toMatchObject({
      price_currency: 'EUR',
      sources: [{ name: 'test', rate: '0.8' }],
    });
    expect((await app.api('GET', '/rates?price_currency=EUR', { key: null })).status).toBe(401);
  });

  test.each(['', '?price_currency=XAU', '?price_currency=eur', '?price_currency='])(
    'are refused for %s',
    async (query) => {
      const { status, body } = await read(query);
      expect([status, body.message]).toEqual([400, 'price_currency is not supported']);
    },
  );

  test('are set for a pair, and set back by null', async () => {
    const { body } = await set({ ...pair, rate: '0.92' });
    expect(body.data).toMatchObject({ ...pair, rate: '0.92' });
    const rateNow = async () =>
      (await read('?price_currency=EUR')).body.data.items.find(({ currency }) => currency === 'USDC')?.rate;
    expect(await rateNow()).toBe('0.92');
    expect((await set({ ...pair, rate: 0.93 })).body.data.rate).toBe('0.93');
    expect((await set({ ...pair, rate: null })).body.data.rate).toBe('0.8');
    expect(await rateNow()).toBe('0.8');
  });

  test.each<[object, string]>([
    [{ ...pair }, 'rate is invalid: is required'],
    [{ ...pair, rate: '' }, 'rate is invalid: is required'],
    ...['0', -1, '1e3', '0.0000000000001', 'NaN', {}, '9'.repeat(30)].map((rate): [object, string] => [
      { ...pair, rate },
      'rate is invalid: must be a positive decimal with at most 12 decimals, or null',
    ]),
    [{ ...pair, price_currency: 'XYZ', rate: 1 }, 'price_currency is not supported'],
    [{ ...pair, currency: 'BTC', rate: 1 }, 'currency is invalid: must be one of PI, USDC, USDT, CSK'],
  ])('%j are refused', async (body, message) => {
    const answer = await set(body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  test('cannot be set with a live key', async () => {
    const { status, body } = await set({ ...pair, rate: 1 }, app.liveSecretKey);
    expect([status, body.message]).toEqual([403, 'Only available in test mode']);
  });
});

describe('a typed rate', () => {
  const at = `${root}/rates/CSK/USD`;
  const type = (body: object, path = at) => desk.call<{ ends_at: string }>('PUT', path, { body });
  const liveRates = async () => (await read('?price_currency=USD', app.liveSecretKey)).body.data.items;

  test('holds live for its days, is shown, and is in the audit log', async () => {
    expect(await liveRates()).toEqual([]);
    const { body } = await type({ rate: '1.10', days: 3 });
    expect(body.data).toMatchObject({ rate: '1.1', holds: true });
    const days = (Date.parse(body.data.ends_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThanOrEqual(3);
    expect(await liveRates()).toMatchObject([
      { currency: 'CSK', rate: '1.1', sources: [{ name: 'operator' }] },
    ]);
    expect((await shown()).pairs).toMatchObject([
      { currency: 'CSK', price_currency: 'USD', rate: '1.1', typed: { rate: '1.1', holds: true } },
    ]);
    expect((await desk.get('/audit?limit=1')).items).toMatchObject([
      { action: 'typed a rate', before: null, after: { rate: '1.1', days: 3 } },
    ]);
  });

  test('is taken back, once', async () => {
    expect((await type({ rate: null })).body.data).toBeNull();
    expect(await liveRates()).toEqual([]);
    expect((await desk.get('/audit?limit=1')).items).toMatchObject([
      { action: 'took back a typed rate', before: { rate: '1.1' } },
    ]);
    expect((await type({ rate: null })).status).toBe(200);
  });

  test.each<[object, string, number]>([
    [{ rate: '1', days: 31 }, at, 400],
    [{ rate: '1', days: 0 }, at, 400],
    [{ rate: '1' }, at, 400],
    [{ rate: '0', days: 1 }, at, 400],
    [{ days: 1 }, at, 400],
    [{ rate: '1', days: 1 }, `${root}/rates/BTC/USD`, 404],
    [{ rate: '1', days: 1 }, `${root}/rates/CSK/XAU`, 404],
  ])('%j at %s is refused', async (body, path, status) => {
    expect((await type(body, path)).status).toBe(status);
  });

  test('waits for another operator, but is taken back by one alone', async () => {
    await type({ rate: '1', days: 1 });
    const other = { email: 'other@example.com', name: 'Other', password: 'correct horse battery staple' };
    await transaction(app.db, (tx) =>
      addQuickAccount(tx, { ...other, emailVerified: true, isOperator: true }, new Date()),
    );
    const kept = await type({ rate: '2', days: 1 });
    expect(kept.status).toBe(202);
    expect(await liveRates()).toMatchObject([{ rate: '1' }]);
    expect((await type({ rate: null })).status).toBe(200);
    expect(await liveRates()).toEqual([]);
  });
});

test('pairs are shown with what became of each answer, and a stable coin that left its dollar is told', async () => {
  const now = new Date();
  await app.db.query(`INSERT INTO rate_sources (name, place, quotes_coins) VALUES ('a', 1, true), ('b', 2, true),
    ('c', 3, true), ('d', 4, true)`);
  const answers: [string, string, string | null, number | null, string | null][] = [
    ['USDT', 'a', '0.95', 5, null],
    ['USDT', 'b', '0.9519', 5, null],
    ['USDT', 'c', '9', 5, null],
    ['USDT', 'd', '0.95', 500, null],
    ['USDC', 'a', '1', 5, null],
    ['PI', 'a', null, null, 'said 0'],
  ];
  for (const [currency, source, rate, ago, fault] of answers) {
    await app.db.query(`INSERT INTO rate_answers VALUES ($1, 'USD', $2, $3, $4, $5)`, [
      ...[currency, source, rate, ago === null ? null : after(now, -ago), fault],
    ]);
  }
  const { pairs } = await shown();
  expect(pairs).toMatchObject([
    {
      currency: 'PI',
      rate: null,
      why: 'silent',
      sources: [{ name: 'a', verdict: 'wrong', fault: 'said 0' }],
    },
    { currency: 'USDC', rate: null, why: 'alone', is_away: false, sources: [{ verdict: 'apart' }] },
    { currency: 'USDT', rate: '0.95095', spread_percent: '0.2', is_away: true },
  ]);
  const verdicts = pairs[2]?.sources.map(({ name, verdict }) => `${name} ${verdict}`);
  expect(verdicts).toEqual(['a used', 'b used', 'c apart', 'd old']);
});
