import { type Config, readConfig } from '../config/config.ts';
import { systemClock } from '../kit/clock.ts';
import { transaction } from '../kit/db/db.ts';
import { grantServing } from '../kit/db/grants.ts';
import { type Migration, readMigrations } from '../kit/db/migrate.ts';
import { type AuditReport, auditLedger } from '../ledger/audit.ts';
import { type Manifest, type Totals, verifyArchive, withArchive } from '../operations/backup/archive.ts';
import { assertKnown, loadBackup } from '../operations/backup/load.ts';
import { progressLine } from '../operations/backup/progress.ts';
import { keptTables } from '../operations/kept-tables.ts';
import { assertMasterKey } from '../operations/master-key.ts';
import { stopPayouts } from '../payouts/rules/stop.ts';
import { renewVaultEpoch } from '../rails/evm/payouts/vault-id.ts';
import { noteRestore } from '../treasury/restore.ts';
import { describeAudit } from './audit.ts';
import { findBackup, type Named } from './backups/find.ts';
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
  try {
    const manifest = await withArchive(source, async (archive) => {
      await assertFits(archive.manifest, migrations, config);
      await verifyArchive(archive);
      return archive.manifest;
    });
    const done = await withDatabaseAsIs(config, (db, _config, role) =>
      transaction(db, (tx) =>
        withArchive(source, async (archive) => {
          const totals = await loadBackup(tx, archive, migrations, progress.show);
          const [backupAt, at] = [new Date(manifest.created_at), systemClock()];
          await noteRestore(tx, { backupAt, at });
          const reason = `Restored from the backup of ${manifest.created_at}: what left since then needs an owner`;
          await stopPayouts(tx, { reason, by: 'florin restore', at });
          // Orders made after the backup had ids that the backup does not know: new orders must not get the same ones.
          await renewVaultEpoch(tx);
          if (role !== null) await grantServing(tx, role, keptTables);
          return { manifest, totals, audit: await auditLedger(tx) };
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

async function assertFits(manifest: Manifest, migrations: Migration[], { masterKey }: Config): Promise<void> {
  assertKnown(manifest, migrations);
  const { key_check: proof, master_keys: ids = [] } = manifest;
  if (proof === null) return;
  await assertMasterKey(masterKey, { proof: Buffer.from(proof, 'base64'), ids }, 'the backup');
}

type Done = { manifest: Manifest; totals: Totals; audit: AuditReport };

function reportOf({ manifest, totals, audit }: Done) {
  return {
    created_at: manifest.created_at,
    florin: manifest.florin,
    tables: totals.tables.length,
    rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
    audit,
  };
}

function describe(done: Done): string {
  const { tables, rows, created_at: at, florin } = reportOf(done);
  const what = `Restored ${tables} tables, ${rows.toLocaleString('en')} rows`;
  const stopped =
    'Payouts are stopped until an operator lets them go on: docs/backups.md says what to look at.';
  return `${what}, from the backup of ${at} (Florin ${florin}).\n${describeAudit(done.audit)}${stopped}\n`;
}
