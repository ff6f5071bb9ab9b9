import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import type { RailHealth } from '../src/rails/health.ts';
import { startChain, type TestChain } from './chain/chain.ts';
import { type RpcProxy, startRpcProxy } from './chain/rpc-proxy.ts';
import type { CreatedPayment } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { operatorDesk } from './support/operator.ts';
import { type RunningApp, startApp } from './support/running.ts';

// A gateway with a chain in its configuration file, from the API to the ledger.

let directory: string;
let chain: TestChain;
let proxy: RpcProxy;
let app: RunningApp;

async function startOn(rpc: string[]): Promise<RunningApp> {
  const file = join(directory, 'config.json');
  const entry = chain.entry({ id: chain.id, rpc, block_seconds: 0.25 });
  await writeFile(file, JSON.stringify({ chains: [entry] }));
  return await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  chain = await startChain();
  proxy = await startRpcProxy(chain.rpcUrl);
  app = await startOn([proxy.url]);
});
afterAll(() => rm(directory, { recursive: true }));

const soon = { timeout: 120_000, interval: 50 };

async function createLive(reference: string): Promise<CreatedPayment> {
  const { status, body, text } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
  });
  expect({ status, text }).toEqual({ status: 200, text });
  return body.data;
}

/** Where the hosted page says to send a payment's money, once the contracts were looked at. */
async function addressOf({ PaymentURL }: CreatedPayment): Promise<Hex> {
  return await vi.waitFor(async () => {
    const state = (await (await fetch(PaymentURL.replace('?', '/state?'))).json()) as StateJson;
    const found = state.destinations.find(({ asset }) => asset === 'usdc-bep20');
    if (!found) throw new Error('no address is shown');
    return found.address as Hex;
  }, soon);
}

async function statusOf(reference: string): Promise<string | undefined> {
  const { body } = await app.api<CreatedPayment['PaymentData']>('GET', `/payment/info/${reference}`, {
    key: app.liveSecretKey,
  });
  return body.data?.payment_status;
}

async function healthOf(running: RunningApp) {
  const people = await openConsole(running);
  const desk = await operatorDesk(people);
  const { items } = await desk.get('/rails');
  return items as unknown as (Omit<RailHealth, 'scan'> & { scan: { endpoints: { state: string }[] } })[];
}

test('a live payment is shown an address, and is completed by a plain transfer to it', async () => {
  const created = await createLive('order-1');
  const address = await addressOf(created);
  await chain.tokens['usdc-bep20']!.send(address, 10n ** 19n);
  await chain.mine(5);
  await vi.waitFor(async () => expect(await statusOf('order-1')).toBe('completed'), soon);
});

test('operators see the chain', async () => {
  const [health] = await healthOf(app);
  expect(health).toMatchObject({
    rail: `evm:${chain.id}`,
    chain: 'Local',
    status: 'up',
    faults: [],
    scan: {
      blocks_behind: 0,
      endpoints: [{ name: expect.stringMatching(/^127\.0\.0\.1:\d+ #1$/), state: 'up' }],
    },
  });
});

test('the money that comes while every endpoint is down is counted when one is back', async () => {
  const address = await addressOf(await createLive('order-2'));
  proxy.faults.dead = true;
  await chain.tokens['usdc-bep20']!.send(address, 10n ** 19n);
  await chain.mine(5);
  proxy.mend();
  await vi.waitFor(async () => expect(await statusOf('order-2')).toBe('completed'), soon);
});

test('a gateway is ready though no endpoint answers', async () => {
  const silent = await startRpcProxy(chain.rpcUrl, { silent: true });
  const lonely = await startOn([silent.url]);
  await vi.waitFor(async () => expect((await fetch(`${lonely.baseUrl}/ready`)).status).toBe(200), soon);
  const health = (await healthOf(lonely)).find(({ rail }) => rail === `evm:${chain.id}`);
  expect(health).toMatchObject({ status: 'down' });
});
