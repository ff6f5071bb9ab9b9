import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/kit/db/db.ts';
import { readMigrations } from '../../src/kit/db/migrate.ts';
import { startEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';
import { roles } from '../../src/kit/postgres/postgres-access.ts';
import { type Cluster, findCluster } from '../../src/kit/postgres/postgres-cluster.ts';
import { readPostmaster } from '../../src/kit/postgres/postgres-postmaster.ts';
import { migrateFor } from '../../src/operations/database.ts';
import { startSystemServer } from '../older-postgres/server.ts';
import { makeDataDir, removeDataDir, trashVariable } from '../support/data-dir.ts';
import { cpuMs, noteCpu } from './cpu.ts';
import { memoryPlace } from './memory-place.ts';

/** What the workers are given. */
export type TestServer = {
  /** How to reach the run's server. */
  connection: pg.PoolConfig;
  /** Why its template could not be made, if so. */
  fault: string | undefined;
  /** Whether the databases lie in memory, and so end with their test file. */
  inMemory: boolean;
};

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export const templateName = 'florin_template';

// Nothing here outlives the run, so that nothing need reach the disk. Autovacuum would visit every test's database each
// ten seconds: a twentieth of a core.
const settings = {
  autovacuum: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  // Gateways that are processes of their own take up to twenty each.
  max_connections: '300',
};

// The databases of a whole run, of 10 MB each, and its clusters, of 50 MB each. Where there is room for all of them,
// they are removed when the run ends (`trashVariable`).
const roomForAll = 15 * 1024 ** 3;

/** Starts one server for the whole run, with one migrated database that every test file's own is copied from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeDataDir();
  const server = await startServer(dataDir);
  const place = await memoryPlace(server.cluster?.owner);
  const fault = await makeTemplate(server, place).catch((error: unknown) => String(error));
  const { bavail, bsize } = await statfs(dataDir);
  const isRoomy = bavail * bsize >= roomForAll;
  const trash = isRoomy ? await mkdtemp(join(tmpdir(), 'florin-trash-')) : undefined;
  if (trash) process.env[trashVariable] = trash;
  project.provide('testServer', { connection: server.connection, fault, inMemory: place !== undefined });
  return async () => {
    const database = await databaseMs(server);
    noteCpu('the database server of all tests', database);
    const { user, system } = process.cpuUsage();
    // A sum of which all other parts are unknown would mislead.
    if (database !== undefined) noteCpu('vitest, beside its workers', (user + system) / 1000);
    await server.stop();
    delete process.env[trashVariable];
    await removeDataDir(dataDir);
    if (place) await rm(place, { recursive: true, force: true });
    if (trash) await rm(trash, { recursive: true, force: true });
  };
}

type Server = { connection: pg.PoolConfig; cluster: Cluster | undefined; stop(): Promise<void> };

/** The embedded server, or the one whose programs lie in `TEST_POSTGRES_BIN`, to try the tests on another version. */
async function startServer(dataDir: string): Promise<Server> {
  const { TEST_POSTGRES_BIN: programs } = process.env;
  if (programs) {
    return await startSystemServer(programs, settings);
  }
  const embedded = await startEmbedded({ dataDir, log: console.log, settings });
  return { ...embedded, cluster: await findCluster(dataDir) };
}

async function databaseMs({ cluster }: Server): Promise<number | undefined> {
  const postmaster = cluster && (await readPostmaster(cluster.data));
  return postmaster && cpuMs(postmaster.pid);
}

// A fault fails the tests that need a database, each with these words, and not the ones that need none.
async function makeTemplate({ connection }: Server, place: string | undefined): Promise<undefined> {
  const server = openDatabase(connection, 1);
  const template = openDatabase({ ...connection, database: templateName }, 1);
  try {
    if (place) await server.query(`CREATE TABLESPACE memory LOCATION '${place}'`);
    // Its copies lie where it does.
    await server.query(`CREATE DATABASE ${templateName} ${place ? 'TABLESPACE memory' : ''}`);
    await migrateFor(template, await readMigrations(join(import.meta.dirname, '../../src')), roles.app);
  } finally {
    await template.end();
    await server.end();
  }
}
