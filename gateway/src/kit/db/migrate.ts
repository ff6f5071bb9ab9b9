import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isLockTimeout, liftTimeLimits, type Reader, type Tx, transaction } from './db.ts';
import { isFormOf } from './earlier-forms.ts';

export type Migration = { number: number; name: string; sql: string; checksum: string };

const filePattern = /^(\d{4})_[a-z0-9_]+\.sql$/;
const lockKey = 706_771_001;
/** Gateways that serve meanwhile wait behind a migration that waits for a table, and give up after 5 s. */
const tableWaitMs = 2_000;
const lookMs = 20;

/** Every `migrations/0001_what.sql` below `root`, in the order of their numbers, which are unique over all slices. */
export async function readMigrations(root: string): Promise<Migration[]> {
  const entries = await readdir(root, { recursive: true });
  const found: Migration[] = [];
  for (const path of entries) {
    const [, number] = filePattern.exec(basename(path)) ?? [];
    if (number === undefined) continue;
    const sql = await readFile(join(root, path), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    found.push({ number: Number.parseInt(number, 10), name: basename(path), sql, checksum });
  }
  found.sort((a, b) => a.number - b.number);
  found.forEach((migration, index) => {
    if (found[index + 1]?.number === migration.number) {
      throw new Error(`Migration number ${migration.number} is used twice`);
    }
  });
  return found;
}

/**
 * Applies the missing migrations, in one transaction under a lock that every starting process waits for. Throws where a
 * file was changed after it was applied, and NewerDatabase where a migration was applied that does not exist here.
 */
export async function migrate(db: Database, migrations: Migration[]): Promise<string[]> {
  return await transaction(db, (tx) => migrateWithin(tx, migrations));
}

/**
 * The same in the caller's transaction, which then holds the lock. Its statements may take any time, but fail with a lock
 * timeout where another program keeps a table for longer than 2 s: the caller tries again, and lets others work in between.
 */
export async function migrateWithin(tx: Tx, migrations: Migration[]): Promise<string[]> {
  await lockMigrations(tx);
  // Checked first: a role that owns nothing may not create the table.
  if (!(await hasMigrations(tx)))
    await tx.query(`CREATE TABLE schema_migrations (
      number integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now())`);
  const found = await appliedMigrations(tx);
  assertKnown(found, migrations);
  const applied = new Map(found.map(({ number, checksum }) => [number, checksum]));
  const fresh = migrations.filter((migration) => {
    const known = applied.get(migration.number);
    if (known !== undefined && !isFormOf(migration, known))
      throw new Error(`Migration ${migration.name} was changed after it had been applied`);
    return known === undefined;
  });
  await tx.query(`SET LOCAL lock_timeout = ${tableWaitMs}`);
  await lockTables(tx, fresh);
  for (const { number, name, sql, checksum } of fresh) {
    await tx.query(sql);
    await tx.query('INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      number,
      name,
      checksum,
    ]);
  }
  return fresh.map(({ name }) => name);
}

/**
 * Locks each table that the migrations name, all at once or none: while it waits for one it has no other, so that it is never in a
 * circle with a gateway that reads two of them. Where there is no moment in which all are free, it waits for them in turn.
 */
async function lockTables(tx: Tx, migrations: readonly Migration[]): Promise<void> {
  const words = new Set(migrations.flatMap(({ sql }) => sql.replaceAll(/--.*$/gm, '').match(/\w+/g) ?? []));
  const { rows } = await tx.query<{ name: string; of: string }>(
    `SELECT relname AS of, quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
       AND pg_has_role(relowner, 'USAGE') ORDER BY oid`,
  );
  const tables = rows.filter(({ of }) => words.has(of)).map(({ name }) => name);
  if (tables.length === 0) return;
  const lock = `LOCK TABLE ${tables.join(', ')}`;
  const endMs = performance.now() + tableWaitMs;
  await tx.query('SAVEPOINT no_table_is_locked');
  while (performance.now() < endMs) {
    try {
      await tx.query(`${lock} NOWAIT`);
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT no_table_is_locked');
      await sleep(lookMs);
    }
  }
  await tx.query(lock);
}

/** The database has migrations that this version does not know. */
export class NewerDatabase extends Error {
  constructor(name: string) {
    super(
      `The database belongs to a newer Florin, whose ${name} this one does not know: a newer version has migrated it. ` +
        'Start that version or a later one. To go back, restore a backup that was made before the upgrade into an empty database.',
    );
    this.name = 'NewerDatabase';
  }
}

function assertKnown(applied: AppliedMigration[], migrations: Migration[]): void {
  const known = new Set(migrations.map(({ number }) => number));
  const newest = applied.findLast(({ number }) => !known.has(number));
  if (newest) throw new NewerDatabase(newest.name);
}

/**
 * Throws NewerDatabase where a newer version has migrated this database. A gateway checks only when it starts: it can run
 * on while a newer one migrates, since migrations expand before they contract (docs/upgrades.md).
 */
export async function assertNotNewer(reader: Reader, migrations: Migration[]): Promise<void> {
  if (await hasMigrations(reader)) assertKnown(await appliedMigrations(reader), migrations);
}

async function hasMigrations(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query("SELECT WHERE to_regclass('schema_migrations') IS NOT NULL");
  return rowCount === 1;
}

/** Keeps other processes from migrating until the transaction ends, and lifts the time limits of its statements. */
export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.query('SET LOCAL lock_timeout = 0');
  await liftTimeLimits(tx);
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
}

export type AppliedMigration = Omit<Migration, 'sql'>;

/** The migrations that were applied to a database which has been migrated at least once. */
export async function appliedMigrations(reader: Reader): Promise<AppliedMigration[]> {
  const { rows } = await reader.query<AppliedMigration>(
    'SELECT number, name, checksum FROM schema_migrations ORDER BY number',
  );
  return rows;
}

/** True when every migration of this build has been applied. */
export async function isMigrated(db: Database, migrations: Migration[]): Promise<boolean> {
  const applied = new Set((await appliedMigrations(db)).map(({ number }) => number));
  return migrations.every((migration) => applied.has(migration.number));
}
