import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoFile } from '../src/demo/seed.ts';
import type { Database } from '../src/kit/db/db.ts';
import { createApi } from './support/api.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { databaseEnv, testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';
import { openReceiver } from './webhooks/receiver.ts';

let dataDir: string;
let db: Database;
let shared: Record<string, string>;
const gateways: GatewayProcess[] = [];

beforeAll(async () => {
  dataDir = await makeDataDir();
  const masterKeyFile = join(dataDir, 'shared.key');
  await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const database = await testDatabase();
  db = database.db;
  shared = {
    DATA_DIR: dataDir,
    ...databaseEnv(database),
    MASTER_KEY_FILE: masterKeyFile,
  };
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.end('SIGTERM')));
  await removeDataDir(dataDir);
});

async function spawned(env: Record<string, string>, ...options: string[]): Promise<GatewayProcess> {
  const gateway = await spawnGateway(env, ...options);
  gateways.push(gateway);
  return gateway;
}

async function loopsOf({ child }: GatewayProcess): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT loop ->> 'name' AS name FROM gateway_processes, jsonb_array_elements(loops) loop WHERE pid = $1 ORDER BY 1`,
    [child.pid],
  );
  return rows.map(({ name }) => name);
}

test('one process serves the API and starts no work; another one works and serves no API', async () => {
  const front = await spawned({ ...shared, DEMO: '1', WEBHOOK_ALLOW_PRIVATE: '1' }, '--role', 'api');
  await front.ready;
  expect((await fetch(`${front.url}/ready`)).status).toBe(200);
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  const api = createApi(front.url, demo.secret_key);
  const receiver = await openReceiver();
  await api('POST', '/webhook-endpoints', { body: { url: receiver.url, events: ['payment_completed'] } });
  const payment = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: 'ROLES-1' };
  expect((await api('PUT', '/payment/create', { body: payment })).status).toBe(200);
  await api('POST', '/test/payments/ROLES-1/simulate', { body: { outcome: 'success' } });

  const back = await spawned({ ...shared, DEMO: '0', WEBHOOK_ALLOW_PRIVATE: '1' }, '--role=worker');
  await back.ready;
  await receiver.next(({ body }) => body.payment_reference === 'ROLES-1', 'ROLES-1');
  await expect(fetch(back.url)).rejects.toThrow();
  expect((await fetch(`${back.metricsUrl}/metrics`)).status).toBe(200);
  // Each process says what it runs: the first one keeps its own memory up to date and writes what it noted, and nothing else.
  expect(await loopsOf(front)).toEqual([
    'currencies',
    'heartbeat',
    'key uses',
    'page domains',
    'rates',
    'security log',
  ]);
  expect(await loopsOf(back)).toEqual(expect.arrayContaining(['heartbeat', 'mails', 'payments']));
  await receiver.close();
});

test('a role without a database of its own is refused', async () => {
  const gateway = await spawned({ DATA_DIR: dataDir }, '--role', 'api');
  expect(await gateway.exitCode).toBe(1);
  expect(gateway.errors()).toContain('--role api needs DATABASE_URL');
});
