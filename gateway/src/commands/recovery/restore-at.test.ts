import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seed } from '../../../../bench/seed/seed.ts';
import { type Archived, openArchived } from '../../../test/backups/archived.ts';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { makeDataDir, removeDataDir, testFolder } from '../../../test/support/data-dir.ts';
import { seedBalance, silentLog } from '../../../test/support/fixtures.ts';
import { type Database, openDatabase, type Reader } from '../../kit/db/db.ts';
import { startEmbedded } from '../../kit/postgres/embedded-postgres.ts';
import { findCluster } from '../../kit/postgres/postgres-cluster.ts';
import { readPostmaster } from '../../kit/postgres/postgres-postmaster.ts';
import { installationTotals } from '../../ledger/totals.ts';
import { newIdentity } from '../../operations/backup/encrypt.ts';
import { createStamper } from '../../operations/stamps/stamper.ts';
import { verifyChain } from '../../operations/stamps/verify.ts';
import { makeIntegration } from '../integrations.ts';
import { restoreAt } from './restore-at.ts';

const place = await testFolder();
const keyFolder = await testFolder();
const keys = await newIdentity();
const identity = join(keyFolder, 'identity');
await writeFile(identity, keys.identity);

async function newEnv(): Promise<Record<string, string>> {
  const dataDir = await makeDataDir();
  atFileEnd(() => removeDataDir(dataDir));
  const keyFile = join(keyFolder, 'master.key');
  return { DATA_DIR: dataDir, MASTER_KEY_FILE: keyFile, BACKUP_TO: place, BACKUP_RECIPIENT: keys.recipient };
}

/** What a database has: its payments, its money, and the head of its chain. */
async function contentOf(reader: Reader) {
  const counts = await reader.query(
    'SELECT count(*)::int AS payments, max(id::text) AS newest FROM payments',
  );
  const head = await reader.query('SELECT number, hash FROM stamps ORDER BY number DESC LIMIT 1');
  return { ...counts.rows[0], head: head.rows[0], totals: await installationTotals(reader) };
}

async function inRestored<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } });
  const db = openDatabase(embedded.connection, 2);
  try {
    return await work(db);
  } finally {
    await db.end();
    await embedded.stop();
  }
}

async function addPayments({ db }: Archived, env: Record<string, string>, owner: string): Promise<void> {
  await printed(() => seed(env, { payments: '20', integration: owner }));
  await seedBalance(db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 5_000_000n });
  const stamper = createStamper({ db, headsFile: '', log: silentLog, now: () => new Date() });
  await stamper.run();
  await stamper.close();
}

async function killServer(dataDir: string): Promise<void> {
  const { pid } = (await readPostmaster((await findCluster(dataDir))!.data))!;
  process.kill(pid, 'SIGKILL');
}

test('an embedded database is restored to a moment, and after the loss of its machine to the newest one', async () => {
  const env = await newEnv();
  const archived = await openArchived(env);
  const { db } = archived;
  const { integration_id: owner } = JSON.parse((await printed(() => makeIntegration(env, 'Shop'))).output);
  // What a crash left of a base backup goes with the next one.
  const left = 'base/2026-01-01T02-00-00Z';
  await mkdir(join(place, left), { recursive: true });
  await writeFile(join(place, left, 'base.tar.zst.age'), 'half');
  await archived.archive.change({ making: left });
  await archived.bases.run();
  expect(await readdir(join(place, left))).toEqual([]);
  expect(archived.archive.state()).toMatchObject({ bases: [{ folder: expect.stringMatching(/^base\//) }] });

  await addPayments(archived, env, owner);
  const atMoment = await contentOf(db);
  const { rows } = await db.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const moment = new Date(rows[0]!.at.getTime() + 1).toISOString();
  await sleep(5);
  await addPayments(archived, env, owner);
  await archived.send();
  const atEnd = await contentOf(db);
  await addPayments(archived, env, owner);
  const lost = await contentOf(db);
  await killServer(env.DATA_DIR!);
  await archived.stop();
  for (const folder of await readdir(join(place, 'wal'))) {
    const names = await readdir(join(place, 'wal', folder));
    expect(names.every((name) => /^[0-9A-F]{24}\.zst\.age$/.test(name))).toBe(true);
  }

  // The second one is later than all that was sent.
  for (const [at, expected] of [
    [moment, atMoment],
    [new Date().toISOString(), atEnd],
  ] as const) {
    const target = await newEnv();
    const { code, output } = await printed(() => restoreAt(target, { at, identity, json: true }));
    expect(code).toBe(0);
    const report = JSON.parse(output);
    expect(report.audit.findings).toEqual([]);
    expect(report.reached <= moment).toBe(at === moment);
    await inRestored(target.DATA_DIR!, async (restored) => {
      expect(await contentOf(restored)).toEqual(expected);
      expect(await contentOf(restored)).not.toEqual(lost);
      expect((await verifyChain(restored, { from: 1n, heads: [] })).faults).toEqual([]);
      expect((await restored.query('SELECT reason FROM payout_stop')).rows).toHaveLength(1);
      expect((await restored.query('SELECT backup_at FROM treasury_restores')).rows).toEqual([
        { backup_at: new Date(report.reached) },
      ]);
    });
  }
});

test('a restore to a moment is refused, and changes nothing, where it cannot be made', async () => {
  const env = await newEnv();
  const refused = async (at: string, why: string, more: Record<string, string> = {}, file?: string) =>
    await expect(restoreAt({ ...env, ...more }, { at, identity: file })).rejects.toThrow(why);
  await refused('2026-11-30', 'is no moment: write it as 2026-11-30T12:34:56Z, or latest');
  await refused('2026-11-30T12:34:56', 'is no moment');
  await refused('9999-11-30T12:34:56Z', 'has not come yet');
  await refused('2001-01-01T00:00:00Z', 'the first moment that it can be restored to is 20');
  await refused('latest', 'has nothing to restore: there is no base backup', {
    BACKUP_TO: await testFolder(),
  });
  await refused('latest', 'Give the file of its identity');
  await refused('latest', 'DATABASE_URL is set', { DATABASE_URL: 'postgres://localhost/florin' });
  const other = { MASTER_KEY_FILE: join(keyFolder, 'other.key') };
  await writeFile(other.MASTER_KEY_FILE, 'ab'.repeat(32));
  await refused('latest', 'is not the one that the backup', other, identity);
  expect(await readdir(env.DATA_DIR!)).toEqual([]);
});
