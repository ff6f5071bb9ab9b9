import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/kit/db/db.ts';
import { migrate, readMigrations } from '../../src/kit/db/migrate.ts';
import { type Embedded, startEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';

/** What the workers are given. */
export type TestServer = {
  /** How to reach the run's server. */
  connection: pg.PoolConfig;
  /** Why its template could not be made, if so. */
  fault: string | undefined;
  /** Whether a file's database is dropped with the file, and not with the server. */
  dropsDatabases: boolean;
};

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export const templateName = 'florin_template';

// Nothing here outlives the run, so that nothing need reach the disk.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
};

// The databases of a whole run, of 10 MB each. ext4 does not give the place of a deleted file to a new one for minutes
// and looks at all such places instead: creating databases beside dropped ones took a fifth of the run.
const roomForAll = 10 * 1024 ** 3;

/** Starts one server for the whole run, with one migrated database that every test file's own is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeDataDir();
  const embedded = await startEmbedded({ dataDir, log: console.log, settings });
  const fault = await makeTemplate(embedded).catch((error: unknown) => String(error));
  const { bavail, bsize } = await statfs(dataDir);
  const dropsDatabases = bavail * bsize < roomForAll;
  project.provide('testServer', { connection: embedded.connection, fault, dropsDatabases });
  return async () => {
    await embedded.stop();
    await removeDataDir(dataDir);
  };
}

// A fault fails the tests that need a database, each with these words, and not the ones that need none.
async function makeTemplate({ connection }: Embedded): Promise<undefined> {
  const server = openDatabase(connection, 1);
  const template = openDatabase({ ...connection, database: templateName }, 1);
  try {
    await server.query(`CREATE DATABASE ${templateName}`);
    await migrate(template, await readMigrations(join(import.meta.dirname, '../../src')));
  } finally {
    await template.end();
    await server.end();
  }
}
