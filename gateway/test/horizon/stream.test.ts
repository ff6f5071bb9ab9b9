import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { type Horizon, startHorizon } from './horizon.ts';

const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function start(options: Parameters<typeof startHorizon>[0] = {}) {
  const horizon = await startHorizon(options);
  stops.push(() => horizon.stop());
  const [alice, bob] = [Keypair.random(), Keypair.random().publicKey()];
  for (const address of [alice.publicKey(), bob]) horizon.fund(address, 1_000_000_000n);
  const pay = (amount: bigint) => horizon.pay({ from: alice, to: bob, amount });
  return { horizon, bob, pay };
}

/** Opens a stream; what it said so far, and whether it ended. */
async function listen(horizon: Horizon, path: string, headers: Record<string, string> = {}) {
  const accept = { accept: 'text/event-stream', ...headers };
  const request = get(horizon.url + path, { headers: accept });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const heard = { text: '', isOver: false, response };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    heard.text += chunk;
  });
  response.on('error', () => {});
  response.on('close', () => {
    heard.isOver = true;
  });
  return heard;
}

const hello = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const byebye = 'retry: 10\nevent: close\ndata: "byebye"\n\n';
const tokensOf = (horizon: Horizon, account: string) =>
  horizon.core.history.of(account)!.payments.map(({ token }) => `${token}`);
const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => match[1]);

test('a stream says hello, then what there is, then what each ledger adds', async () => {
  const { horizon, bob, pay } = await start();
  const heard = await listen(horizon, `/accounts/${bob}/payments?limit=200`);
  expect(heard.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  await expect.poll(() => idsIn(heard.text)).toEqual(tokensOf(horizon, bob));
  expect(heard.text.startsWith(hello)).toBe(true);
  pay(5n);
  pay(6n);
  await expect.poll(() => idsIn(heard.text)).toEqual(tokensOf(horizon, bob));
  const [last] = tokensOf(horizon, bob).slice(-1);
  const data = heard.text.split(`id: ${last}\ndata: `)[1]!.split('\n\n')[0]!;
  expect(JSON.parse(data)).toMatchObject({ paging_token: last, amount: '0.0000006', to: bob });
  expect(heard.isOver).toBe(false);
});

test('it says byebye after as many events as were asked for', async () => {
  const { horizon, bob, pay } = await start();
  const heard = await listen(horizon, `/accounts/${bob}/payments?limit=2`);
  pay(1n);
  pay(2n);
  await expect.poll(() => heard.isOver).toBe(true);
  expect(idsIn(heard.text)).toEqual(tokensOf(horizon, bob).slice(0, 2));
  expect(heard.text.endsWith(byebye)).toBe(true);
});

test('it says byebye after its time', async () => {
  const { horizon, bob } = await start({ streamMs: 50 });
  const heard = await listen(horizon, `/accounts/${bob}/payments?cursor=now`);
  await expect.poll(() => heard.isOver).toBe(true);
  expect(heard.text).toBe(hello + byebye);
});

test('the id of the last event counts more than the cursor', async () => {
  const { horizon, bob, pay } = await start();
  pay(1n);
  pay(2n);
  const tokens = tokensOf(horizon, bob);
  const headers = { 'last-event-id': tokens[1]! };
  const heard = await listen(horizon, `/accounts/${bob}/payments?cursor=now`, headers);
  await expect.poll(() => idsIn(heard.text)).toEqual(tokens.slice(2));
});

test('an account that was never seen has no stream', async () => {
  const { horizon } = await start();
  const heard = await listen(horizon, `/accounts/${Keypair.random().publicKey()}/payments`);
  expect(heard.response.statusCode).toBe(404);
});

test('an open stream spends a request for each ledger, until none is left', async () => {
  const { horizon, bob } = await start({ rateLimit: 5, now: () => new Date('2026-01-01') });
  // One for the request, one for its first look.
  const heard = await listen(horizon, `/accounts/${bob}/payments?cursor=now`);
  expect(heard.response.headers['x-ratelimit-remaining']).toBeUndefined();
  for (let ledger = 0; ledger < 3; ledger++) horizon.close();
  expect((await fetch(`${horizon.url}/`)).status).toBe(429);
  expect(heard.isOver).toBe(false);
  horizon.close();
  await expect.poll(() => heard.isOver).toBe(true);
  expect(heard.text).toBe(`${hello}event: error\ndata: Rate limit exceeded\n\n`);
});

test('streams break when they are told to, and one in the middle of an event', async () => {
  const { horizon, bob, pay } = await start();
  const whole = await listen(horizon, `/accounts/${bob}/payments?cursor=now`);
  await expect.poll(() => whole.text).toBe(hello);
  horizon.faults.cutStreams();
  await expect.poll(() => whole.isOver).toBe(true);
  expect(whole.text).toBe(hello);
  horizon.faults.add({ kind: 'cut' });
  const cut = await listen(horizon, `/accounts/${bob}/payments?cursor=now`);
  pay(7n);
  await expect.poll(() => cut.isOver).toBe(true);
  expect(idsIn(cut.text)).toEqual(tokensOf(horizon, bob).slice(-1));
  expect(cut.text.endsWith('\n\n')).toBe(false);
});
