import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { startHorizon } from './horizon.ts';
import { createLimiter } from './server/limit.ts';

type Page = { _embedded: { records: { amount: string }[] } };

const alice = Keypair.random();
const bob = Keypair.random().publicKey();
const path = `/accounts/${bob}/payments`;

const horizon = await startHorizon();
for (const address of [alice.publicKey(), bob]) horizon.fund(address, 1_000_000_000n);
horizon.pay({ from: alice, to: bob, amount: 1n });
afterAll(() => horizon.stop());

const ask = () => fetch(horizon.url + path);
const recordsOf = async (response: Response) => ((await response.json()) as Page)._embedded.records;

test.each([
  ['timeout', 504, 'timeout'],
  ['rate_limited', 429, 'rate_limit_exceeded'],
  ['error', 500, 'server_error'],
] as const)('%s answers the next request alone with %i', async (kind, status, type) => {
  horizon.faults.add({ kind });
  const response = await ask();
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    status,
    type: `https://stellar.org/horizon-errors/${type}`,
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(await recordsOf(await ask())).toHaveLength(2);
});

test('who asks too much is told when to come again', async () => {
  horizon.faults.add({ kind: 'rate_limited', retryAfterSeconds: 7 });
  const { headers } = await ask();
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  expect(headers.get('x-ratelimit-reset')).toBe('7');
  expect(headers.get('retry-after')).toBe('7');
});

test.each(['reset', 'lost'] as const)('a connection breaks: %s', async (kind) => {
  horizon.faults.add({ kind });
  await expect(ask()).rejects.toThrow();
});

test('a lost answer was done, a connection that broke before was not', async () => {
  const before = horizon.core.accounts.get(bob)!.units;
  for (const kind of ['reset', 'lost'] as const) {
    const payment = Operation.payment({ destination: bob, asset: Asset.native(), amount: '0.0000005' });
    const tx = horizon.sign({ from: alice, operations: [payment] });
    horizon.faults.add({ kind, method: 'POST' });
    const body = new URLSearchParams({ tx });
    await expect(fetch(`${horizon.url}/transactions`, { method: 'POST', body })).rejects.toThrow();
    await expect.poll(() => horizon.core.accounts.get(bob)!.units).toBe(before + (kind === 'lost' ? 5n : 0n));
  }
});

test('bodies are not what they should be', async () => {
  horizon.faults.add({ kind: 'truncated' });
  await expect((await ask()).json()).rejects.toThrow(SyntaxError);
  horizon.faults.add({ kind: 'html' });
  expect(await (await ask()).text()).toContain('<!doctype html>');
  horizon.faults.add({ kind: 'empty' });
  expect(await recordsOf(await ask())).toEqual([]);
  horizon.faults.add({ kind: 'rewrite', rewrite: () => ({ _embedded: { records: 7 } }) });
  expect(await recordsOf(await ask())).toBe(7);
});

test('one answer may be as of some ledgers ago', async () => {
  const before = await recordsOf(await ask());
  horizon.pay({ from: alice, to: bob, amount: 9n });
  horizon.faults.add({ kind: 'stale', ledgers: 1 });
  expect(await recordsOf(await ask())).toEqual(before);
  expect((await recordsOf(await ask())).at(-1)).toMatchObject({ amount: '0.0000009' });
});

test('a list may lack some records, and go on as if they had never been', async () => {
  for (const amount of [1n, 2n, 3n]) horizon.pay({ from: alice, to: bob, amount });
  const all = await recordsOf(await ask());
  horizon.faults.add({ kind: 'omits', isLeftOut: (_, place) => place % 2 === 0 });
  expect(await recordsOf(await ask())).toEqual(all.filter((_: unknown, place: number) => place % 2 === 1));
  expect(await recordsOf(await ask())).toEqual(all);
});

test('faults wait for requests that match, as often as they are told to', async () => {
  const remove = horizon.faults.add({ kind: 'error', times: Number.POSITIVE_INFINITY, path: /payments/ });
  horizon.faults.add({ kind: 'timeout', times: 2, method: 'POST' });
  expect((await fetch(`${horizon.url}/`)).status).toBe(200);
  expect([(await ask()).status, (await ask()).status]).toEqual([500, 500]);
  remove();
  expect((await ask()).status).toBe(200);
  expect(horizon.faults.left()).toBe(2);
  horizon.faults.clear();
  expect(horizon.faults.left()).toBe(0);
});

test('an hour has 3,600 requests: a hundred and one at once, then one a second', () => {
  let ms = 0;
  const limiter = createLimiter(3600, () => new Date(ms));
  const spendAll = () => {
    let spent = 0;
    while (!limiter.spend('a').isOver) spent += 1;
    return spent;
  };
  expect(spendAll()).toBe(101);
  expect(limiter.spend('a').headers).toEqual({
    'x-ratelimit-limit': '101',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '101',
    'retry-after': '1',
  });
  expect(limiter.spend('b').headers).toMatchObject({ 'x-ratelimit-remaining': '100' });
  ms = 5000;
  expect(spendAll()).toBe(5);
  ms = 3_600_000;
  expect(spendAll()).toBe(101);
});
