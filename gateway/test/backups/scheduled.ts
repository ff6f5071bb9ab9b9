import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { type BackupDeps, createBackups } from '../../src/commands/backups/loop.ts';
import { sourceRoot } from '../../src/commands/with-database.ts';
import type { BackupsConfig } from '../../src/config/backups.ts';
import { readConfig } from '../../src/config/config.ts';
import { carrySeal } from '../../src/kit/db/carried-seal.ts';
import { readMigrations } from '../../src/kit/db/migrate.ts';
import { newIdentity } from '../../src/operations/backup/encrypt.ts';
import { openPlace } from '../../src/operations/backup/places/place.ts';
import { listBackups } from '../../src/operations/backup-records/records.ts';
import { openSeal } from '../../src/operations/master-key.ts';
import { atFileEnd } from '../suite/endings.ts';
import { openInstallation } from '../support/backup-fixtures.ts';
import { removeDataDir } from '../support/data-dir.ts';
import { silentLog } from '../support/fixtures.ts';

const start = new Date('2026-03-10T12:00:00Z');

/** An installation with an operator, its scheduled backups, and a clock; each test begins without a backup. */
export async function openScheduledBackups() {
  const { directory, source, envOf } = await openInstallation(60);
  atFileEnd(() => removeDataDir(directory));
  const keys = await newIdentity();
  const identity = join(directory, 'identity');
  await writeFile(identity, `# a key\n${keys.identity}\n`);
  const seal = await openSeal(source.db, join(directory, 'master.key'));
  carrySeal(source.serving.db, seal);
  const migrations = await readMigrations(sourceRoot);
  await source.db.query(
    `INSERT INTO accounts (id, name, email, is_operator, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Olga', 'olga@example.com', true, now(), now())`,
  );
  let now = start;
  beforeEach(async () => {
    now = start;
    await source.db.query(
      `DELETE FROM backups; DELETE FROM drills; DELETE FROM emails;
       UPDATE backup_tasks SET ordered_at = NULL, mailed_at = NULL`,
    );
  });
  const config = (settings: Record<string, string>): BackupsConfig =>
    readConfig({ BACKUP_RECIPIENT: keys.recipient, BACKUP_DRILL: '0', ...settings }).backups!;
  return {
    ...{ directory, source, envOf, keys, identity, seal, config },
    now: () => now,
    passHours(hours: number): void {
      now = new Date(now.getTime() + hours * 3_600_000);
    },
    /** The backups of a gateway with these settings. */
    backupsTo(settings: Record<string, string>, change: Partial<BackupDeps> = {}) {
      const read = config(settings);
      return createBackups({
        ...{ config: read, place: openPlace(read.to), db: source.serving.db, owner: source.connection },
        ...{ migrations, seal, dataDir: directory, baseUrl: 'https://pay.example', florin: '1.2.3' },
        ...{ log: silentLog, now: () => now },
        ...change,
      });
    },
    /** The newest first. */
    records: () => listBackups(source.db, { before: null, limit: 50 }),
    mails: async () => (await source.db.query('SELECT subject FROM emails')).rows,
  };
}
