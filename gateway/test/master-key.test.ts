import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlorin } from '../../cli/test/florin.ts';
import type { Database } from '../src/kit/db/db.ts';
import { readKeyFile } from '../src/operations/master-key-file.ts';
import { resealTerms } from '../src/operations/reseal.ts';
import type { ListedKey } from '../src/operations/rotate-master-key.ts';
import { type Api, createApi } from './support/api.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { databaseEnv, testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';
import { startReceiver } from './webhooks/fixtures.ts';

let dataDir: string;
let settings: Record<string, string>;
let gateway: GatewayProcess;
let api: Api;
let db: Database;

beforeAll(async () => {
  dataDir = await makeDataDir();
  const database = await testDatabase();
  db = database.db;
  settings = { DATA_DIR: dataDir, ...databaseEnv(database), MASTER_KEY_FILE: join(dataDir, 'master.key') };
  gateway = await spawnGateway({ ...settings, DEMO: '1', WEBHOOK_ALLOW_PRIVATE: '1' }, '--workers', '2');
  await gateway.ready;
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { secret_key: string };
  api = createApi(gateway.url, demo.secret_key);
});
afterAll(async () => {
  await gateway.end('SIGTERM');
  await removeDataDir(dataDir);
});

const florin = (...words: string[]) => startFlorin(['master-key', ...words], settings);

async function list(): Promise<ListedKey[]> {
  const { code, output, errors } = await florin('list', '--json').ended;
  expect(errors).toBe('');
  expect(code).toBe(0);
  return JSON.parse(output) as ListedKey[];
}

const holding = (keys: readonly ListedKey[]) =>
  keys.filter(({ values }) => values.length > 0).map(({ id }) => id);

/** At full speed the load would take the processor from the rotation. */
const endpointsASecond = 10;

/** Makes endpoints and takes them away for as long as the rotation runs; how many times. */
function load(until: () => boolean): Promise<number> {
  const work = async () => {
    let done = 0;
    const begun = performance.now();
    while (!until()) {
      const early = begun + (done * 1000) / endpointsASecond - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const body = { url: 'http://127.0.0.1:4998/hook' };
      const made = await api<{ id: string; secret: string }>('POST', '/webhook-endpoints', { body });
      expect(made.status).toBe(200);
      const rolled = await api<{ secret: string }>(
        'POST',
        `/webhook-endpoints/${made.body.data.id}/roll-secret`,
        {
          body: { overlap_seconds: 60 },
        },
      );
      expect(rolled.status).toBe(200);
      const gone = await api('DELETE', `/webhook-endpoints/${made.body.data.id}`);
      expect(gone.status).toBe(200);
      done++;
    }
    return done;
  };
  return work();
}

test('a rotation that is killed again and again ends beside two workers that go on, and webhooks stay signed', async () => {
  const receiver = await startReceiver();
  const [first] = await readKeyFile(join(dataDir, 'master.key'));
  const body = { url: receiver.url, events: ['payment_completed'] };
  const endpoint = (await api<{ id: string; secret: string }>('POST', '/webhook-endpoints', { body })).body
    .data;

  let isOver = false;
  const worked = load(() => isOver);
  try {
    // Each time a little later: when the key was made, while it waits for the workers, while it seals.
    for (const line of ['The new master key', 'Waiting until every process', 'New values are sealed']) {
      const killed = florin('rotate');
      const shown = () => killed.errors().includes(line) || killed.errors().includes('New values are sealed');
      await killed.until(shown, line);
      await killed.end('SIGKILL');
      await db.query('UPDATE leases SET held_until = now() WHERE name = $1', [resealTerms().name]);
    }
    const ended = await florin('rotate').ended;
    expect(ended.code, ended.errors).toBe(0);
  } finally {
    isOver = true;
    expect(await worked).toBeGreaterThan(0);
  }

  const [second, ...older] = await readKeyFile(join(dataDir, 'master.key'));
  expect(older.at(-1)?.id).toBe(first.id);
  expect(holding(await list())).toEqual([second.id]);
  expect(await florin('drop', second.id).ended).toMatchObject({ code: 1 });
  expect(await florin('drop', first.id).ended).toMatchObject({ code: 0 });
  expect((await list()).find(({ id }) => id === first.id)).toMatchObject({ state: 'dropped', values: [] });

  const payment = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: 'SIGNED-1' };
  expect((await api('PUT', '/payment/create', { body: payment })).status).toBe(200);
  await api('POST', '/test/payments/SIGNED-1/simulate', { body: { outcome: 'success' } });
  await receiver.reached(1);
  const { raw, headers } = receiver.got[0]!;
  expect(() => new Webhook(endpoint.secret).verify(raw, headers as Record<string, string>)).not.toThrow();
  await receiver.close();
}, 900_000);
