import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { joinServer } from '../database.ts';
import { type Database, openDatabase } from '../kit/db.ts';
import { migrate, readMigrations } from '../kit/migrate.ts';

/** Runs a command on the installation's database, beside a running gateway or without one. */
export async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(env);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await joinServer(config, { log: () => {} });
  const db = openDatabase(server.connection, 2);
  try {
    await migrate(db, await readMigrations(join(import.meta.dirname, '..')));
    return await work(db, config);
  } finally {
    await db.end();
    await server.stop();
  }
}
