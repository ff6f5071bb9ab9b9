import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findCluster } from '../src/kit/postgres/postgres-cluster.ts';
import { isAlive, readPostmaster } from '../src/kit/postgres/postgres-postmaster.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { databaseEnv, databaseUrl, testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';

/** Those of one test, and those that a test hands on to the next. */
const gateways = new Set<GatewayProcess>();
const kept = new Set<GatewayProcess>();
let dataDir: string;

async function endAll(all: Set<GatewayProcess>): Promise<void> {
  await Promise.all([...all].map((gateway) => gateway.end('SIGTERM')));
  all.clear();
}

beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterEach(() => endAll(gateways));
afterAll(async () => {
  await removeDataDir(dataDir);
});

async function spawnedIn(all: Set<GatewayProcess>, env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await spawnGateway(env);
  all.add(gateway);
  return gateway;
}

async function startedIn(all: Set<GatewayProcess>, env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await spawnedIn(all, env);
  await gateway.ready;
  return gateway;
}

const spawned = (env: Record<string, string>) => spawnedIn(gateways, env);
const started = (env: Record<string, string>) => startedIn(gateways, env);

async function demoOf(directory: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8')) as Record<string, string>;
}

async function databaseOf(directory: string): Promise<() => Promise<boolean>> {
  const { data } = (await findCluster(directory))!;
  const postmaster = (await readPostmaster(data))!;
  return () => isAlive(postmaster, data);
}

async function createPayment(url: string, key: string, reference: string): Promise<Response> {
  return await fetch(`${url}/payment/create`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 25,
      currency: 'USDT',
      payment_type: 'deposit',
      payment_reference: reference,
    }),
  });
}

describe('a gateway on a data directory', () => {
  // Each test goes on with the gateway that the one before it left running.
  let gateway: GatewayProcess;
  const start = async () => await startedIn(kept, { DATA_DIR: dataDir });
  afterAll(() => endAll(kept));

  test('says when it is ready, and is: the API, the demo shop and the seeded demo', async () => {
    gateway = await start();
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
    expect((await fetch(gateway.shopUrl)).status).toBe(200);
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
    const demo = await demoOf(dataDir);
    expect(demo).toMatchObject({ base_url: gateway.url, shop_url: gateway.shopUrl });
    expect((await createPayment(gateway.url, demo.secret_key!, 'FIRST-1')).status).toBe(200);
  });

  test('keeps a second gateway off it, which says so and ends with 1', async () => {
    const second = await spawned({ DATA_DIR: dataDir });
    expect(await second.exitCode).toBe(1);
    expect(second.errors()).toContain(`Another gateway already runs on the data directory ${dataDir}`);
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
  });

  test('goes on after a kill -9 with what was committed', async () => {
    const before = await demoOf(dataDir);
    expect((await createPayment(gateway.url, before.secret_key!, 'KEPT-1')).status).toBe(200);
    await gateway.end('SIGKILL');

    gateway = await start();
    expect(await demoOf(dataDir)).toMatchObject({ secret_key: before.secret_key, base_url: gateway.url });
    expect((await createPayment(gateway.url, before.secret_key!, 'KEPT-1')).status).toBe(409);
  });

  test('leaves no child behind when it is killed', async () => {
    const databaseRuns = await databaseOf(dataDir);
    await gateway.end('SIGKILL');
    await expect.poll(databaseRuns).toBe(false);
    await expect.poll(() => fetch(gateway.shopUrl).catch(() => 'refused')).toBe('refused');
  });

  test('ends with 0 within 10 s of SIGTERM, on a slow machine within the time of its start, and leaves no child behind', async () => {
    const begun = performance.now();
    gateway = await start();
    const startMs = performance.now() - begun;
    const databaseRuns = await databaseOf(dataDir);
    const asked = performance.now();
    expect(await gateway.end('SIGTERM')).toBe(0);
    expect(performance.now() - asked).toBeLessThan(Math.max(10_000, startMs));
    expect(await databaseRuns()).toBe(false);
    await expect(fetch(gateway.shopUrl)).rejects.toThrow();
  });
});

test('a bad configuration is reported with every fault at once, and the gateway ends with 1', async () => {
  const bad = { PORT: 'abc', HOST: 'nowhere', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://localhost' };
  const gateway = await spawned({ DATA_DIR: dataDir, ...bad });
  expect(await gateway.exitCode).toBe(1);
  expect(gateway.output()).toBe('');
  for (const name of Object.keys(bad)) expect(gateway.errors()).toMatch(new RegExp(`^ +${name} `, 'm'));
});

test('a port that is taken, or a data directory that is a file, is one sentence, and the gateway ends with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const faults: [Record<string, string>, string][] = [
    [{ METRICS_PORT: `${port}` }, `METRICS_PORT ${port} is in use by another program.`],
    [{ PORT: `${port}` }, `PORT ${port} is in use by another program.`],
    [{ SHOP_PORT: `${port}` }, `SHOP_PORT ${port} is in use by another program.`],
    [{ DATA_DIR: import.meta.filename }, `DATA_DIR ${import.meta.filename} cannot be used`],
  ];
  for (const [env, sentence] of faults) {
    const gateway = await spawned({ DATA_DIR: dataDir, ...env });
    expect(await gateway.exitCode).toBe(1);
    expect(gateway.output()).toBe('');
    expect(gateway.errors()).toMatch(/^Florin cannot start: [^\n]*\nflorin doctor says more\.\n$/);
    expect(gateway.errors()).toContain(sentence);
  }
  taken.close();
});

test('two gateways share one database, and one of them needs no owner of it', async () => {
  const database = await testDatabase();
  const masterKeyFile = join(dataDir, 'shared.key');
  await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const shared = { DATA_DIR: dataDir, ...databaseEnv(database), MASTER_KEY_FILE: masterKeyFile };
  const one = await started({ ...shared, DEMO: '1' });
  const other = await started({ ...shared, DEMO: '0', MIGRATE_DATABASE_URL: '' });

  const { secret_key: key } = await demoOf(dataDir);
  expect((await createPayment(one.url, key!, 'SHARED-1')).status).toBe(200);
  const info = await fetch(`${other.url}/payment/info/SHARED-1`);
  expect(await info.json()).toMatchObject({
    data: { payment_reference: 'SHARED-1', payment_status: 'unlinked' },
  });
  expect((await createPayment(other.url, key!, 'SHARED-1')).status).toBe(409);
  for (const { errors } of [one, other]) expect(errors()).not.toContain('MIGRATE_DATABASE_URL');
});

test('on a database of your own one role may do all, and a warning names what it could rewrite', async () => {
  const { connection } = await testDatabase();
  const masterKeyFile = join(dataDir, 'single.key');
  await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl(connection), MASTER_KEY_FILE: masterKeyFile };
  const { errors } = await started(env);
  expect(errors()).toMatch(/can rewrite .*audit_log.*ledger_entries.*stamps.*MIGRATE_DATABASE_URL/);
});
