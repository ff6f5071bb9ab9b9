import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { connectEmbedded } from '../src/kit/postgres/embedded-postgres.ts';
import { findCluster } from '../src/kit/postgres/postgres-cluster.ts';
import { recoverCluster } from '../src/kit/postgres/recovery.ts';
import { openDirectory } from '../src/operations/backup/places/directory.ts';
import { readWalState, type WalState } from '../src/operations/wal/state.ts';
import { baseBefore, extractBase, walOf } from '../src/operations/wal-archive/points.ts';
import { atFileEnd } from './suite/endings.ts';
import { makeDataDir, removeDataDir, testFolder } from './support/data-dir.ts';

const rounds = 8;
const folder = await testFolder();
const dataDir = await newDataDir();

async function newDataDir(): Promise<string> {
  const made = await makeDataDir();
  atFileEnd(() => removeDataDir(made));
  return made;
}

async function startArchiving(): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'databases/archive-embedded.ts');
  const child = spawn(process.execPath, [script, dataDir, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  atFileEnd(async () => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client((await connectEmbedded(dataDir))!);
  client.on('error', () => {});
  await client.connect();
  return client;
}

const stateNow = async (): Promise<WalState | null> => await readWalState((await findCluster(dataDir))!);

test('kills at any moment lose nothing that was sent, and nothing in between', {
  timeout: 900_000,
}, async () => {
  let committed = 0;
  let sent = 0;
  for (let round = 1; round <= rounds; round++) {
    const child = await startArchiving();
    const client = await connect();
    await client.query('CREATE TABLE IF NOT EXISTS numbers (number int PRIMARY KEY, filler text)');
    ({ n: committed } = (await client.query('SELECT coalesce(max(number), 0) AS n FROM numbers')).rows[0]);
    if (round === 1) {
      await expect.poll(async () => (await stateNow())?.bases.length, { timeout: 120_000 }).toBe(1);
    }
    const until = performance.now() + 300 + Math.random() * 2_000;
    while (performance.now() < until) {
      await client.query(`INSERT INTO numbers VALUES ($1, repeat('x', 500))`, [++committed]);
      if (Math.random() < 0.05) await client.query('SELECT pg_switch_wal()');
    }
    if (round === rounds) {
      const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      sent = committed;
      await expect
        .poll(async () => (await stateNow())!.sent! >= rows[0].name, { timeout: 120_000 })
        .toBe(true);
    }
    await client.end();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await sleep(Math.random() * 200);
  }
  // No kill has made a gap, so that no other run was needed.
  expect(await stateNow()).toMatchObject({ former_runs: [], bases: [{}] });

  const place = openDirectory(folder);
  const base = await baseBefore(place, null);
  const wal = await walOf(place, base, []);
  const found = await recoverCluster({
    ...{ dataDir: await newDataDir(), log: () => {}, wal, until: null },
    writeBase: (data) => extractBase(place, base, { identities: [], data }),
    finish: async (connection) => {
      const client = new pg.Client(connection);
      await client.connect();
      const { rows } = await client.query('SELECT count(*)::int AS count, max(number) AS last FROM numbers');
      await client.end();
      return rows[0];
    },
  });
  expect(found.count).toBe(found.last);
  expect(found.last).toBeGreaterThanOrEqual(sent);
});
