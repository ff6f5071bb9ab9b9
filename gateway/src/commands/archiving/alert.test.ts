import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../test/support/doctor.ts';
import { after } from '../../kit/clock.ts';
import { checkBackups } from '../../operations/doctor/checks/backups.ts';
import { createWalMetrics } from '../../operations/wal/metrics.ts';
import { keptState, type WalState } from '../../operations/wal/state.ts';
import { createWalAlert } from './alert.ts';

const begun = new Date('2026-03-10T12:00:00Z');
const state: WalState = {
  ...{ place: '/mnt/backups', run: 'one', first: null, packed: null, sent: null, making: null },
  ...{ kept_until: begun.toISOString(), bases: [], former_runs: [], fault: null, mailed_at: null },
};

test('changes that are not archived for an hour are mailed to operators, once a day while it lasts', async () => {
  const { db } = await testDatabase();
  await db.query(
    `INSERT INTO accounts (id, name, email, is_operator, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Olga', 'olga@example.com', true, now(), now())`,
  );
  const kept = keptState({ home: await testFolder() });
  // No gateway ran for five hours: it has an hour from its start.
  let now = after(begun, 5 * 3_600);
  const archive = { step: async () => {}, state: kept.get, change: kept.change };
  const alert = createWalAlert({ archive, db, baseUrl: 'https://pay.example', now: () => now });
  const mailsAfter = async (minutes: number) => {
    now = after(now, minutes * 60);
    await alert();
    return (await db.query('SELECT subject FROM emails ORDER BY id')).rows;
  };
  expect(await mailsAfter(61)).toEqual([]);
  await kept.save({ ...state, fault: 'There is no directory /mnt/backups' });
  const [mail, ...others] = await mailsAfter(0);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Changes of the database are not archived' });
  expect(await mailsAfter(60)).toHaveLength(1);
  expect(await mailsAfter(24 * 60)).toHaveLength(2);
  await kept.change({ kept_until: after(now, -60).toISOString(), fault: null });
  expect(await mailsAfter(0)).toHaveLength(2);
});

test('the doctor and the metrics say how far the archive of an embedded database is behind', async () => {
  const dataDir = await testFolder();
  const home = join(dataDir, 'postgres');
  await mkdir(join(home, 'spool'), { recursive: true });
  await writeFile(join(home, 'spool', '000000010000000000000001'), Buffer.alloc(500));
  await keptState({ home }).save({ ...state, fault: 'the place is away' });
  const now = () => after(begun, 2 * 3_600);
  const look = async (settings: Record<string, string>) =>
    await findingsOf(
      checkBackups,
      await examinedWith({ DATA_DIR: dataDir, BACKUP_TO: dataDir, ...settings }, { db: null, now }),
    );
  const behind = ['wal_behind', 'since 2026-03-10T12:00:00.000Z: the place is away'];
  expect(await look({})).toEqual([behind, ['plain', null]]);
  expect(await look({ BACKUP_WAL: '0' })).toEqual([['plain', null]]);
  const external = {
    DATABASE_URL: 'postgres://localhost/florin',
    MASTER_KEY_FILE: join(dataDir, 'master.key'),
  };
  expect(await look(external)).toEqual([['plain', null]]);

  const registry = new Registry();
  createWalMetrics(registry, dataDir, now);
  const text = await registry.metrics();
  expect(text).toContain('florin_wal_archive_age_seconds 7200\n');
  expect(text).toContain('florin_wal_spool_bytes 500\n');
});
