import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../config/config.ts';
import { openDatabase } from '../../kit/db/db.ts';
import { isMigrated, readMigrations } from '../../kit/db/migrate.ts';
import { comesLater } from '../../kit/db/until-answered.ts';
import { bringUpToDate, sourceRoot, withDatabaseAsIs } from '../with-database.ts';

/**
 * Applies the missing migrations of this version, all or none, gives the serving role its rights, and serves nothing: for
 * the step of an upgrade before gateways start. Returns the exit code 0. Throws NewerDatabase where a newer version has
 * migrated the database.
 */
export async function migrateAlone(env: NodeJS.ProcessEnv): Promise<number> {
  const applied = await withDatabaseAsIs(readConfig(env), (db, _config, role) => bringUpToDate(db, role));
  const lines = applied.map((name) => `${name} is applied\n`);
  process.stdout.write(`${lines.join('')}The database is up to date.\n`);
  return 0;
}

const pollMs = 1_000;

/**
 * Waits until another process has applied the migrations of this version, as a role that owns nothing. Returns the exit
 * code: 0 once they are applied, 1 when `seconds` have passed before.
 */
export async function awaitMigrations(env: NodeJS.ProcessEnv, seconds: number): Promise<number> {
  const { database } = readConfig(env);
  if (database.kind === 'embedded')
    throw new Error('--wait needs DATABASE_URL: an embedded database is migrated by its own gateway');
  const migrations = await readMigrations(sourceRoot);
  const db = openDatabase({ connectionString: database.url }, 1);
  const endMs = performance.now() + seconds * 1_000;
  try {
    for (;;) {
      if (await isMigrated(db, migrations).catch(notYet)) break;
      if (performance.now() >= endMs) {
        process.stderr.write(`The migrations of this version were not applied within ${seconds} s.\n`);
        return 1;
      }
      await sleep(pollMs);
    }
  } finally {
    await db.end();
  }
  process.stdout.write('The database is up to date.\n');
  return 0;
}

/** A database that does not answer yet, or has no tables yet, or none that this role may read. */
function notYet(error: unknown): false {
  const { code } = error as { code?: string };
  if (comesLater(error) || code === '42P01' || code === '42501') return false;
  throw error;
}
