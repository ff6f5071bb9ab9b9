import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config/config.ts';
import { type Database, openDatabase } from '../kit/db/db.ts';
import { assertNotNewer, readMigrations } from '../kit/db/migrate.ts';
import { untilAnswered } from '../kit/db/until-answered.ts';
import type { Settings } from '../kit/postgres/postgres-server.ts';
import { assertReachedDirectly, joinServer, migrateFor, servingRole } from '../operations/database.ts';
import { assertServed } from '../operations/moves/moves.ts';

/** Where the migrations of all slices lie. */
export const sourceRoot = join(import.meta.dirname, '..');

/**
 * Runs a command on the installation's database as its owner, beside a running gateway or without one. `settings` are
 * those of an embedded server that is started for it.
 */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  const migrated = async (db: Database, config: Config, role: string | null): Promise<T> => {
    await bringUpToDate(db, role);
    return await work(db, config);
  };
  return await withDatabaseAsIs(readConfig(env), migrated, settings);
}

/**
 * The same without applying migrations; `work` gets the name of the serving role, unless that is the owner. An embedded
 * database that does not exist is made. Throws NewerDatabase when a newer version has migrated it, and NotServed when its
 * data were moved to another one.
 */
export async function withDatabaseAsIs<T>(
  config: Config,
  work: (db: Database, config: Config, role: string | null) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await joinServer(config, { log: () => {}, settings });
  const db = openDatabase(server.owner, 2);
  try {
    await assertReachedDirectly(server);
    await assertNotNewer(db, await readMigrations(sourceRoot));
    await assertServed(db);
    return await work(db, config, servingRole(server));
  } finally {
    await db.end();
    await server.stop();
  }
}

/**
 * Applies the missing migrations and returns their names. Waits while another program keeps a table, such as a backup or an open
 * session of psql, and says so on standard error; gateways go on serving meanwhile.
 */
export async function bringUpToDate(db: Database, role: string | null): Promise<string[]> {
  const migrations = await readMigrations(sourceRoot);
  const warn = ({ fault }: { fault: string }) =>
    void process.stderr.write(`The database is not free for its migrations yet (${fault}): they wait.\n`);
  const log = { info: () => {}, warn } as unknown as Pick<Logger, 'info' | 'warn'>;
  return await untilAnswered(log, 'bring the tables up to date', () => migrateFor(db, migrations, role));
}
