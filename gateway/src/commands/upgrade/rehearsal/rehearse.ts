import type pg from 'pg';
import { type Database, type Tx, transaction } from '../../../kit/db/db.ts';
import { appliedMigrations, type Migration, migrateWithin } from '../../../kit/db/migrate.ts';
import { openSnapshot } from '../../../kit/db/snapshot.ts';
import type { Totals } from '../../../operations/backup/archive.ts';
import { loadBackup } from '../../../operations/backup/load.ts';
import type { OnProgress } from '../../../operations/backup/progress.ts';
import { tablesOf } from '../../../operations/backup/tables.ts';
import { withScratchDatabase } from '../../../operations/scratch/scratch-database.ts';
import { auditsBefore, type BothAudits, bothAudits } from './both-audits.ts';
import { liveArchive } from './live-archive.ts';
import { compareSums, readSums } from './sums.ts';

/** One migration on the copy, and which tables nobody can write to from then on until all of them are committed. */
type RehearsedMigration = { name: string; ms: number; locks: string[] };

export type Rehearsed = {
  copied: { tables: number; rows: number; bytes: number; ms: number };
  migrations: RehearsedMigration[];
  /** All of them with their commit. */
  ms: number;
  /** Null: only this version's schema can be audited by this version. */
  before: BothAudits | null;
  after: BothAudits;
  /** How many sums were compared, and those that are not as before. */
  sums: number;
  differences: string[];
};

/** A migration failed on the copy. Nothing else was changed. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: Error) {
    super(`The migration ${name} fails on a copy of this database: ${cause.message}`, { cause });
    this.name = 'MigrationFailed';
  }
}

export type RehearsalOrder = {
  /** How the owner of the live database reaches it. */
  owner: pg.PoolConfig;
  live: Database;
  /** Every migration of this version. */
  migrations: readonly Migration[];
  onProgress: OnProgress;
};

/**
 * Copies the live database as it is at one moment into a scratch database on the same server, applies the migrations that
 * it lacks to the copy, audits it before and after, and compares its sums. The live database is only read, and
 * goes on. Throws MigrationFailed.
 */
export async function rehearse({ owner, live, migrations, onProgress }: RehearsalOrder): Promise<Rehearsed> {
  return await withScratchDatabase(owner, async (copy) => {
    const began = performance.now();
    const totals = await copyInto(copy, live, { migrations, onProgress });
    const copied = { ...sizeOf(totals), ms: performance.now() - began };
    const before = await auditsBefore(copy);
    const sums = await readSums(copy);
    const { steps, ms } = await migrateStepwise(copy, migrations);
    const after = await bothAudits(copy);
    const differences = compareSums(sums, await readSums(copy));
    return { copied, migrations: steps, ms, before, after, sums: Object.keys(sums).length, differences };
  });
}

/** The migrations that a database lacks. */
async function pendingOf(db: Database, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = new Set((await appliedMigrations(db)).map(({ number }) => number));
  return migrations.filter(({ number }) => !applied.has(number));
}

async function copyInto(
  copy: Database,
  live: Database,
  { migrations, onProgress }: Pick<RehearsalOrder, 'migrations' | 'onProgress'>,
): Promise<Totals> {
  const snapshot = await openSnapshot(live, 0);
  try {
    const archive = await liveArchive(snapshot.reader);
    const applied = new Set(archive.manifest.migrations.map(({ name }) => name));
    const own = migrations.filter(({ name }) => applied.has(name));
    // Nobody else is on the copy, so that no conflict makes this run again.
    return await transaction(copy, (tx) => loadBackup(tx, archive, own, onProgress));
  } finally {
    await snapshot.close();
  }
}

function sizeOf({ tables }: Totals): Omit<Rehearsed['copied'], 'ms'> {
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Applies what is missing in one transaction, as a start does, and times each step of it. */
async function migrateStepwise(
  db: Database,
  migrations: readonly Migration[],
): Promise<{ steps: RehearsedMigration[]; ms: number }> {
  const pending = await pendingOf(db, migrations);
  const known = migrations.filter((migration) => !pending.includes(migration));
  const tables = (await tablesOf(db)).map(({ name }) => name);
  const steps: RehearsedMigration[] = [];
  const began = performance.now();
  await transaction(db, async (tx) => {
    const locked = new Set<string>();
    for (const migration of pending) {
      known.push(migration);
      const stepBegan = performance.now();
      await migrateWithin(tx, known).catch((error: Error) => {
        throw new MigrationFailed(migration.name, error);
      });
      const ms = performance.now() - stepBegan;
      const locks = (await lockedTables(tx, tables)).filter((name) => !locked.has(name));
      for (const name of locks) locked.add(name);
      steps.push({ name: migration.name, ms, locks });
    }
  });
  return { steps, ms: performance.now() - began };
}

/** Which of the tables this transaction keeps others from writing to. */
async function lockedTables(tx: Tx, tables: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `SELECT DISTINCT c.relname AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
     WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND c.relnamespace = current_schema()::regnamespace
       AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
       AND c.relname = ANY ($1) ORDER BY name`,
    [tables],
  );
  return rows.map(({ name }) => name);
}
