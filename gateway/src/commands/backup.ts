import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { findCluster } from '../kit/postgres/postgres-cluster.ts';
import { nameOfSecret } from '../kit/secret.ts';
import { smallNumber } from '../money/small-number.ts';
import { assertRecipients } from '../operations/backup/encrypt.ts';
import { assertNewFile } from '../operations/backup/path.ts';
import { openPlace } from '../operations/backup/places/place.ts';
import { megabytes, type OnProgress, progressLine, seconds } from '../operations/backup/progress.ts';
import { relationCount } from '../operations/backup/tables.ts';
import { type Written, writeBackup } from '../operations/backup/write.ts';
import { keepsBackups, recordBackup } from '../operations/backup-records/records.ts';
import { florinVersion } from '../operations/version.ts';
import { withBackupLease } from './backups/loop.ts';
import { type Made, type Making, makeBackup } from './backups/make.ts';
import { endBySignal } from './ending.ts';
import { withDatabaseAsIs } from './with-database.ts';

type Work = { config: Config; florin: string; onProgress: OnProgress; signal: AbortSignal };
type Done = { written: Written; file: string; bytes: number };

/**
 * Writes the whole database into a new file, or without one to the place of BACKUP_TO, beside a running gateway or without
 * one, and prints what it wrote: for people, or as one JSON object. No migration is applied, so a backup can be made before
 * an upgrade. Returns the exit code: after a signal it leaves no file, and the code is that of the signal.
 */
export async function backup(
  env: NodeJS.ProcessEnv,
  { file, json = false }: { file?: string | undefined; json?: boolean },
): Promise<number> {
  const config = readConfig(env);
  const ending = endBySignal();
  const began = performance.now();
  const progress = progressLine('Backing up:');
  try {
    const work = { config, florin: florinVersion(), onProgress: progress.show, signal: ending.signal };
    const done = await (file === undefined ? toPlace(work) : toFile(resolve(file), work));
    progress.end();
    const keyFile = nameOfSecret(config.masterKey);
    const report = {
      ...reportOf(done.written),
      file: done.file,
      bytes: done.bytes,
      master_key_file: keyFile,
    };
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else process.stdout.write(describe(report, performance.now() - began));
    return 0;
  } catch (error) {
    const code = ending.code();
    if (code === null) throw error;
    return code;
  } finally {
    progress.end();
    ending.restore();
  }
}

async function toFile(path: string, { config, ...order }: Work): Promise<Done> {
  await assertNewFile(path);
  await assertDatabase(config);
  const written = await withDatabaseAsIs(config, async (db) => {
    await assertNotEmpty(db);
    return await writeBackup(db, { ...order, file: path, now: systemClock() });
  });
  return { written, file: path, bytes: (await stat(path)).size };
}

async function toPlace({ config, ...order }: Work): Promise<Done> {
  const { backups } = config;
  if (backups === null) throw new Error('Name a file for the backup, or set BACKUP_TO');
  await assertDatabase(config);
  await assertRecipients(backups.recipients);
  const place = openPlace(backups.to);
  const made = await withDatabaseAsIs(config, async (db) => {
    await assertNotEmpty(db);
    const kind = 'command' as const;
    const making = { ...order, db, config: backups, place, kind, now: systemClock, trial: null };
    // A database of an earlier version keeps no records yet.
    return (await keepsBackups(db)) ? await makeRecorded(db, making) : await makeBackup(making);
  });
  const { path, bytes } = made.backup;
  return { written: made.written, file: `${place.name}/${path}`, bytes: smallNumber(bytes ?? 0n) };
}

async function makeRecorded(db: Database, making: Making): Promise<Made> {
  let made: Made | null = null;
  await withBackupLease(db, randomUUID(), async () => {
    made = await makeBackup(making);
    await recordBackup(db, made.backup);
  });
  if (made === null)
    throw new Error('Another process makes a backup at this moment: wait until it has ended');
  return made;
}

/** Throws where a database has no tables. */
async function assertNotEmpty(db: Database): Promise<void> {
  if ((await relationCount(db)) === 0) throw new Error('The database is empty: there is nothing to back up');
}

/** Throws where there is no database to back up. */
async function assertDatabase({ database, dataDir }: Config): Promise<void> {
  if (database.kind === 'embedded' && !(await findCluster(dataDir))) {
    throw new Error(`There is no database in ${dataDir}: set DATA_DIR to its directory, or DATABASE_URL`);
  }
}

function reportOf({ manifest, totals }: Written) {
  return {
    created_at: manifest.created_at,
    florin: manifest.florin,
    tables: totals.tables.length,
    rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
  };
}

type Report = ReturnType<typeof reportOf> & { file: string; bytes: number; master_key_file: string };

function describe({ file, tables, rows, bytes, master_key_file: keyFile }: Report, tookMs: number): string {
  return `${file}: ${tables} tables, ${rows.toLocaleString('en')} rows, ${megabytes(bytes)}, in ${seconds(tookMs)}.
The master key is not in it. Keep a copy of ${keyFile}
in another place than the backup: it is of no use without the key, and whoever has both has every secret.
`;
}
