import { readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import { readMigrations } from '../kit/db/migrate.ts';
import { newIdentity } from '../operations/backup/encrypt.ts';
import { type BackupPlace, openPlace } from '../operations/backup/places/place.ts';
import { megabytes } from '../operations/backup/progress.ts';
import type { DrillReport } from '../operations/backup-records/records.ts';
import { keepsBackups, recordDrill } from '../operations/backup-records/records.ts';
import { tryBackup } from './backups/drill.ts';
import { findBackup } from './backups/find.ts';
import { backupFolder } from './backups/make.ts';
import { sourceRoot, withDatabaseAsIs } from './with-database.ts';

function placeOf(env: NodeJS.ProcessEnv): BackupPlace {
  const { backups } = readConfig(env);
  if (backups === null) throw new Error('BACKUP_TO is not set');
  return openPlace(backups.to);
}

const nameOf = (path: string): string => path.slice(backupFolder.length + 1);

/** Prints the backups in the place of BACKUP_TO, the newest first: as lines, or as one JSON object. */
export async function listPlacedBackups(
  env: NodeJS.ProcessEnv,
  { json }: { json: boolean },
): Promise<number> {
  const place = placeOf(env);
  const files = (await place.list(backupFolder)).reverse();
  if (json) {
    const items = files.map(({ path, bytes, at }) => ({ name: nameOf(path), bytes, at: at.toISOString() }));
    process.stdout.write(`${JSON.stringify({ place: place.name, items })}\n`);
  } else if (files.length === 0) process.stdout.write(`There is no backup in ${place.name}.\n`);
  else for (const { path, bytes } of files) process.stdout.write(`${nameOf(path)}  ${megabytes(bytes)}\n`);
  return 0;
}

/** Makes a pair of keys and prints it. Nothing is written. */
export async function printBackupKey(): Promise<number> {
  const { identity, recipient } = await newIdentity();
  process.stdout.write(`# Keep these three lines where you keep the copy of the master key, and not on the machine of the gateway.
# Whoever has the identity can read every backup that is encrypted to it; without it nobody can.
${identity}

The setting for the gateway, which can be known to all:
BACKUP_RECIPIENT=${recipient}
`);
  return 0;
}

/**
 * Loads a backup, by default the newest in the place of BACKUP_TO, into a database of its own on the installation's server, and
 * prints what was found there. Returns the exit code: 0 all agrees, 2 something does not.
 */
export async function drillBackup(
  env: NodeJS.ProcessEnv,
  { file, identity, json }: { file?: string | undefined; identity?: string | undefined; json: boolean },
): Promise<number> {
  const config = readConfig(env);
  const named = file ?? nameOf((await placeOf(env).list(backupFolder)).at(-1)?.path ?? '');
  if (named === '') throw new Error('There is no backup to be tried');
  const source = await findBackup(config, { file: named, identity });
  const migrations = await readMigrations(sourceRoot);
  const startedAt = systemClock();
  const report = await withDatabaseAsIs(config, async (db) => {
    const found = await tryBackup(source, { owner: db.options, migrations, live: null });
    if (await keepsBackups(db)) {
      const [fault = null] = found.findings;
      const record = { place: '', path: source.name, started_at: startedAt, ended_at: systemClock() };
      await recordDrill(db, { ...record, fault, report: found, line: null });
    }
    return found;
  });
  const text = json ? `${JSON.stringify({ file: source.name, ...report })}\n` : describe(source.name, report);
  process.stdout.write(text);
  return report.findings.length === 0 ? 0 : 2;
}

function describe(file: string, { tables, rows, entries, stamps, sums, findings }: DrillReport): string {
  const scope = `${tables} tables, ${rows.toLocaleString('en')} rows, ${entries} entries, ${stamps} stamps`;
  const lines = sums.map(({ mode, asset, kind, restored }) => `  ${mode} ${asset} ${kind}: ${restored}\n`);
  const verdict = findings.length === 0 ? 'can be restored, and is sound' : 'is NOT sound';
  return `${file} ${verdict}: ${scope}.\n${lines.join('')}${findings.map((each) => `  ${each}\n`).join('')}`;
}
