import { type Config, readConfig } from '../../config/config.ts';
import { systemClock } from '../../kit/clock.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import { assertNotNewer, readMigrations } from '../../kit/db/migrate.ts';
import { servingConnection } from '../../kit/postgres/embedded-postgres.ts';
import { recoverCluster, type WalSource } from '../../kit/postgres/recovery.ts';
import { nameOfSecret } from '../../kit/secret.ts';
import type { AuditReport } from '../../ledger/audit.ts';
import { type BackupPlace, openPlace } from '../../operations/backup/places/place.ts';
import { migrateFor, servingRole } from '../../operations/database.ts';
import { assertRing, keysForBackup } from '../../operations/master-key.ts';
import { type Base, baseBefore, extractBase, walOf } from '../../operations/wal-archive/points.ts';
import { describeAudit } from '../audit.ts';
import { readIdentities } from '../backups/find.ts';
import { afterRestore } from '../restoring/after-restore.ts';
import { sourceRoot } from '../with-database.ts';

export type RestoreAt = {
  /** A moment as ISO text with its zone, or `latest`. */
  at: string;
  identity?: string | undefined;
  json?: boolean;
};

type Done = { base: Base; wal: WalSource; until: Date | null; reachedAt: Date; audit: AuditReport };

/**
 * Makes the embedded database of an empty DATA_DIR as it was at a moment, from the base backups and the WAL in BACKUP_TO;
 * completely or not at all. Returns the exit code: 0 restored; 2 restored, and the ledger has the faults that it had then.
 */
export async function restoreAt(
  env: NodeJS.ProcessEnv,
  { at, identity, json = false }: RestoreAt,
): Promise<number> {
  const config = readConfig(env);
  const until = momentOf(at);
  const place = placeOf(config);
  const identities = await readIdentities(identity);
  const base = await baseBefore(place, until);
  await assertKey(base, config);
  const wal = await walOf(place, base, identities);
  const done = await recoverCluster<Done>({
    ...{ dataDir: config.dataDir, until, wal },
    log: (line) => process.stderr.write(`${line}\n`),
    writeBase: (data) => extractBase(place, base, { identities, data }),
    finish: async (owner, reached) => {
      const reachedAt = reached ?? new Date(base.ended_at);
      return { base, wal, until, reachedAt, audit: await finish(owner, reachedAt) };
    },
  });
  process.stdout.write(json ? `${JSON.stringify(reportOf(done))}\n` : describe(done));
  return done.audit.findings.length === 0 ? 0 : 2;
}

/** Null: the newest moment that there is. */
function momentOf(text: string): Date | null {
  if (text === 'latest') return null;
  const moment = new Date(text);
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(moment.getTime())
  )
    throw new Error(`${text} is no moment: write it as 2026-11-30T12:34:56Z, or latest`);
  if (moment > systemClock()) throw new Error(`${text} has not come yet: for the newest state write latest`);
  return moment;
}

function placeOf({ database, backups }: Config): BackupPlace {
  if (database.kind !== 'embedded')
    throw new Error(
      'DATABASE_URL is set: only an embedded database is restored to a moment. Restore a backup into it, or use the tools of your server.',
    );
  if (backups === null) throw new Error('BACKUP_TO is not set');
  return openPlace(backups.to);
}

async function assertKey({ key_check: proof, master_keys: ids }: Base, { masterKey }: Config): Promise<void> {
  if (proof === null) return;
  const ring = await keysForBackup(masterKey, 'the backup');
  const check = { proof: Buffer.from(proof, 'base64'), ids };
  assertRing(ring, check, { name: nameOfSecret(masterKey), whose: 'the backup' });
}

async function finish(owner: Parameters<typeof openDatabase>[0], reachedAt: Date): Promise<AuditReport> {
  const migrations = await readMigrations(sourceRoot);
  const role = servingRole({ owner, serving: servingConnection(owner) });
  const db = openDatabase(owner, 2);
  try {
    await assertNotNewer(db, migrations);
    await migrateFor(db, migrations, role);
    const from = `to ${reachedAt.toISOString()}`;
    return await transaction(db, (tx) =>
      afterRestore(tx, { restoredTo: reachedAt, from, role, by: 'florin restore', at: systemClock() }),
    );
  } finally {
    await db.end();
  }
}

function reportOf({ base, wal, until, reachedAt, audit }: Done) {
  return {
    asked_for: until?.toISOString() ?? null,
    reached: reachedAt.toISOString(),
    base: base.folder,
    florin: base.florin,
    newest_segment: wal.names.filter((name) => name.length === base.first_segment.length).at(-1) ?? null,
    audit,
  };
}

function describe(done: Done): string {
  const { reached, base, florin, newest_segment: newest } = reportOf(done);
  return `Restored from ${base} (Florin ${florin}) and the WAL since. The last commit that is in it: ${reached}.
The archive ends with ${newest}: what was committed later than that, and what had not been sent yet, is not in it.
${describeAudit(done.audit)}Payouts are stopped until an operator lets them go on: docs/backups.md says what to look at.
`;
}
