import { readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import { transaction } from '../kit/db/db.ts';
import { readMigrations } from '../kit/db/migrate.ts';
import { nameOfSecret } from '../kit/secret.ts';
import { progressLine } from '../operations/backup/progress.ts';
import { keysForBackup } from '../operations/master-key.ts';
import { describeAudit } from './audit.ts';
import { findBackup, type Named } from './backups/find.ts';
import { checkBackup, type Restored, restoreWithin } from './restoring/restore-within.ts';
import { sourceRoot, withDatabaseAsIs } from './with-database.ts';

/**
 * Loads a backup, a file or one in BACKUP_TO, into an empty database, completely or not at all. The file, its version and the master key are checked
 * before the first row, and the ledger is recomputed at the end. Returns the exit code: 0 restored; 2 restored, and the
 * ledger has the faults that it had when the backup was made.
 */
export async function restore(
  env: NodeJS.ProcessEnv,
  { json = false, ...named }: Named & { json?: boolean },
): Promise<number> {
  const config = readConfig(env);
  const source = await findBackup(config, named);
  const migrations = await readMigrations(sourceRoot);
  const progress = progressLine('Restoring:');
  const keys = {
    read: () => keysForBackup(config.masterKey, 'the backup'),
    name: nameOfSecret(config.masterKey),
  };
  try {
    await checkBackup(source, migrations, keys);
    const done = await withDatabaseAsIs(config, (db, _config, role) =>
      transaction(db, (tx) =>
        restoreWithin(tx, {
          ...{ source, migrations, role, by: 'florin restore', now: systemClock() },
          onProgress: progress.show,
        }),
      ),
    );
    progress.end();
    process.stdout.write(json ? `${JSON.stringify(reportOf(done))}\n` : describe(done));
    return done.audit.findings.length === 0 ? 0 : 2;
  } finally {
    progress.end();
  }
}

function reportOf({ manifest, totals, audit }: Restored) {
  return {
    created_at: manifest.created_at,
    florin: manifest.florin,
    tables: totals.tables.length,
    rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
    audit,
  };
}

function describe(done: Restored): string {
  const { tables, rows, created_at: at, florin } = reportOf(done);
  const what = `Restored ${tables} tables, ${rows.toLocaleString('en')} rows`;
  const stopped =
    'Payouts are stopped until an operator lets them go on: docs/backups.md says what to look at.';
  return `${what}, from the backup of ${at} (Florin ${florin}).\n${describeAudit(done.audit)}${stopped}\n`;
}
