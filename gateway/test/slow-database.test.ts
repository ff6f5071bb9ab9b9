import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startLateDatabase } from './databases/late-database.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';

// A database that comes late, or is slow, delays the start of a gateway, and never ends it.

let dataDir: string;
let gateway: GatewayProcess | undefined;
const slow = { timeout: 60_000 };

beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterEach(async () => {
  await gateway?.end('SIGTERM');
  gateway = undefined;
});
afterAll(() => removeDataDir(dataDir));

async function open() {
  const target = await testDatabase();
  const database = await startLateDatabase(target.connection);
  const masterKeyFile = join(dataDir, `${randomBytes(4).toString('hex')}.key`);
  await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const { host, port, user, database: name } = database.connection;
  const url = `postgresql://${user}@${host}:${port}/${name}`;
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, MASTER_KEY_FILE: masterKeyFile, DEMO: '1' };
  return { database, env };
}

/** The steps that waited, as the log says. */
const waited = () =>
  [...(gateway?.errors() ?? '').matchAll(/"step":"([^"]+)".*the start waits for it/g)].map(
    ([, step]) => step,
  );

test('one that is not there yet, that answers nothing, and that goes away in the middle', async () => {
  const { database, env } = await open();
  database.is = 'away';
  gateway = await spawnGateway(env);
  await expect.poll(waited, slow).toContain('bring the tables up to date');
  database.is = 'silent';
  const before = waited().length;
  await expect.poll(() => waited().length, slow).toBeGreaterThan(before);
  database.endsAt('derived_keys');
  database.is = 'there';
  await expect.poll(waited, slow).toContain('open the master keys');
  database.endsAt('INSERT INTO integrations');
  database.is = 'there';
  await expect.poll(waited, slow).toContain('prepare the demo');
  database.is = 'there';
  expect(await gateway.ready).toContain('Florin is ready');
  expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
}, 120_000);

test('a database that does not exist, or a host that nobody knows, ends the start at once', async () => {
  const { env } = await open();
  const faults: [string, RegExp][] = [
    [`${env.DATABASE_URL}_of_nobody`, /database ".*_of_nobody" does not exist/],
    ['postgres://florin@nobody.invalid/florin', /nobody\.invalid/],
  ];
  for (const [url, words] of faults) {
    gateway = await spawnGateway({ ...env, DATABASE_URL: url });
    expect(await gateway.exitCode).toBe(1);
    expect(gateway.errors()).toMatch(words);
    expect(waited()).toEqual([]);
  }
}, 60_000);
