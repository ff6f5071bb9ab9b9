// An installation with money in it, backed up while it runs and restored elsewhere, is the same installation.
import { copyFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { backup } from '../src/commands/backup.ts';
import { restore } from '../src/commands/restore.ts';
import { demoChainDirectory } from '../src/demo/chain/known.ts';
import { createLive, demoChain, stateOf } from './chain/demo-chain.ts';
import { submitForm } from './support/api.ts';
import { printed } from './support/commands-fixtures.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { verifiedWebhook, type WebhookKeys } from './webhooks/verified-webhook.ts';

type Endpoint = { id: string; secret: string };

let shop: Receiver;
let endpoint: Endpoint;
let before: Record<string, string>;
let restored: RunningGateway;
let keys: WebhookKeys;
let output: { code: number; output: string };

beforeAll(async () => {
  const [gateway, receiver] = await Promise.all([startGateway({ chain: true }), openReceiver()]);
  shop = receiver;
  const body = { url: shop.url };
  endpoint = (await gateway.api<Endpoint>('POST', '/webhook-endpoints', { body })).body.data;
  keys = { secretKey: gateway.demo.secret_key, webhookSecret: endpoint.secret };
  await trade(gateway);
  before = await answers(gateway);

  const dataDir = await makeDataDir();
  const file = join(dataDir, 'florin.backup');
  await printed(() => backup(gateway.settings, { file }));
  await gateway.stop();
  for (const name of ['master.key', 'demo.json'])
    await copyFile(join(gateway.dataDir, name), join(dataDir, name));
  // Without its chain an installation with money on it does not start.
  await cp(demoChainDirectory(gateway.dataDir), demoChainDirectory(dataDir), { recursive: true });
  output = await printed(() => restore({ DATA_DIR: dataDir }, { file }));

  restored = await startGateway({ dataDir, env: { DEMO: '0' } });

  return shop.close;
});

/** Money of both modes moves: by the simulated rail, from a wallet, to a wallet and on a chain. */
async function trade(gateway: RunningGateway): Promise<void> {
  for (const outcome of ['success', 'failure', 'overpaid', 'underpaid']) {
    const created = { amount: 12.5, currency: 'USDC', payment_type: 'deposit', payment_reference: outcome };
    await gateway.api('PUT', '/payment/create', { body: created });
    await gateway.api('POST', `/test/payments/${outcome}/simulate`, { body: { outcome } });
  }
  const fund = { username: gateway.demo.users[0]!.username, amount: 5, currency: 'usdc-base' };
  expect((await gateway.api('POST', '/payment/fund-user', { body: fund })).status).toBe(200);

  const { url } = await createLive(gateway, { payment_reference: 'LIVE' });
  const destination = () => stateOf(url).then(({ destinations }) => destinations[0]);
  await vi.waitFor(async () => expect(await destination()).toBeDefined(), { timeout: 120_000 });
  const { asset, address, amount } = (await destination())!;
  await demoChain(gateway.demo.chain!).send(asset, address, amount);
  const status = async () => (await stateOf(url)).payment_status;
  await vi.waitFor(async () => expect(await status()).toBe('completed'), { timeout: 120_000 });
  await verifiedWebhook(shop, keys, 'success', 'payment_completed');
}

/** What a merchant reads, in both modes, without what follows from the configuration: addresses, names of chains. */
async function answers({ api, liveApi, baseUrl }: RunningGateway): Promise<Record<string, string>> {
  const paths = [
    '/payments?limit=100',
    '/balances',
    '/balance-entries?limit=100',
    '/events?limit=100',
    '/webhook-endpoints',
  ];
  const read: Record<string, string> = {};
  const ask = async (mode: string, path: string, call = mode === 'live' ? liveApi : api) => {
    const { status, text } = await call('GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
    read[`${mode} ${path}`] = text
      .replaceAll(baseUrl, 'https://gateway')
      .replaceAll(/"network":"[^"]*"/g, '"network":""');
  };
  for (const path of paths) {
    await ask('test', path);
    await ask('live', path);
  }
  for (const reference of ['success', 'failure', 'overpaid', 'underpaid']) {
    await ask('test', `/payments/${reference}`);
  }
  await ask('live', '/payments/LIVE');
  await ask('test', `/webhook-endpoints/${endpoint.id}/deliveries`);
  return read;
}

describe('a restored installation', () => {
  test('has a clean ledger', () => {
    expect(output).toMatchObject({ code: 0, output: expect.stringContaining('The ledger is clean') });
  });

  test('answers what it answered before', async () => {
    expect(await answers(restored)).toEqual(before);
  });

  test('sends old events again, and new ones, with the signatures that receivers know', async () => {
    const old = shop.received.find(({ body }) => body.payment_reference === 'success')!;
    const from = shop.received.length;
    await restored.api('POST', `/events/${old.body.event_id}/resend`);
    const again = await shop.next((webhook) => shop.received.indexOf(webhook) >= from, 'the old event');
    expect(again.raw.equals(old.raw)).toBe(true);
    expect(again.headers['x-signature']).toBe(old.headers['x-signature']);
    const payment = { amount: 3, currency: 'USDC', payment_type: 'deposit', payment_reference: 'AFTER' };
    await restored.api('PUT', '/payment/create', { body: payment });
    await restored.api('POST', '/test/payments/AFTER/simulate', { body: { outcome: 'success' } });
    await verifiedWebhook(shop, keys, 'AFTER', 'payment_completed');
  });

  test('takes payments from the wallets of its users, with their passwords', async () => {
    const created = await restored.api<{ PaymentURL: string }>('PUT', '/payment/create', {
      body: { amount: 1, currency: 'USDC', payment_type: 'deposit', payment_reference: 'WALLET' },
    });
    const url = created.body.data.PaymentURL;
    await submitForm(url, 'method', { asset: 'wallet' });
    await submitForm(url, 'wallet', restored.demo.users[0]!);
    expect((await stateOf(url)).payment_status).toBe('completed');
  });

  test('can be backed up and restored in its turn', async () => {
    const dataDir = await makeDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const file = join(dataDir, 'second.backup');
    await printed(() => backup({ DATA_DIR: restored.dataDir }, { file }));
    await copyFile(join(restored.dataDir, 'master.key'), join(dataDir, 'master.key'));
    expect((await printed(() => restore({ DATA_DIR: dataDir }, { file }))).code).toBe(0);
  });
});
