import { resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { openDatabase, type Tx, transaction } from '../../kit/db/db.ts';
import { grantServing } from '../../kit/db/grants.ts';
import { appliedMigrations, lockMigrations, readMigrations } from '../../kit/db/migrate.ts';
import { countOtherSessions } from '../../kit/db/other-sessions.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { type Manifest, verifyArchive, withArchive } from '../../operations/backup/archive.ts';
import { dropEverything } from '../../operations/backup/drop.ts';
import { assertKnown, loadBackup } from '../../operations/backup/load.ts';
import { sourceOfFile } from '../../operations/backup/sources.ts';
import { assertReachedDirectly, joinServer, servingRole } from '../../operations/database.ts';
import { keptTables } from '../../operations/kept-tables.ts';
import { sourceRoot } from '../with-database.ts';

/**
 * The step of an upgrade that goes back, of the version before: where other migrations are applied than in the backup that was
 * made before them, everything in the database is replaced by it, in one transaction. Called while no gateway has
 * served since that backup, so that nothing is lost. With `onlyCompare` nothing is changed, and the whole backup is read.
 * Returns the exit code: 0 the same migrations are applied, now at least; 2 others are. Throws where others use the database.
 */
export async function putBack(
  env: NodeJS.ProcessEnv,
  { file, onlyCompare }: { file: string; onlyCompare: boolean },
): Promise<number> {
  const source = sourceOfFile(resolve(file), []);
  const manifest = await withArchive(source, async (archive) => {
    await verifyArchive(archive);
    return archive.manifest;
  });
  const server = await joinServer(readConfig(env), { log: () => {}, settings: {} });
  const db = openDatabase(server.owner, 1);
  try {
    await assertReachedDirectly(server);
    const role = servingRole(server);
    return await transaction(db, async (tx) => {
      await lockMigrations(tx);
      // An embedded server serves one gateway, which has ended.
      if (server.isExternal) await assertAlone(tx, role);
      if (await hasSame(tx, manifest)) return 0;
      if (onlyCompare) return 2;
      await dropEverything(tx);
      const migrations = await readMigrations(sourceRoot);
      assertKnown(manifest, migrations);
      const before = migrations.filter(({ name }) => manifest.migrations.some((each) => each.name === name));
      await withArchive(source, (archive) => loadBackup(tx, archive, before, () => {}));
      if (role !== null) await grantServing(tx, role, keptTables);
      const [finding] = (await auditLedger(tx)).findings;
      if (finding) throw new Error(`The backup is not sound: ${finding.check}: ${finding.found}`);
      process.stdout.write('The database is as it was before the upgrade.\n');
      return 0;
    });
  } finally {
    await db.end();
    await server.stop();
  }
}

async function hasSame(tx: Tx, { migrations }: Manifest): Promise<boolean> {
  const applied = new Set((await appliedMigrations(tx)).map(({ name }) => name));
  return applied.size === migrations.length && migrations.every(({ name }) => applied.has(name));
}

/** Throws where another gateway or command of Florin stays connected: what it writes would be lost. */
async function assertAlone(tx: Tx, role: string | null): Promise<void> {
  const others = await countOtherSessions(tx, role);
  if (others > 0)
    throw new Error(
      `${others} connections of other gateways or commands are open on this database, and it could not be put back without ` +
        'losing what they write. With several gateways upgrade one after the other: docs/upgrades.md says how.',
    );
}
