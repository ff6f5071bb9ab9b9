import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { carrySeal } from '../../src/kit/db/carried-seal.ts';
import { type Database, openDatabase } from '../../src/kit/db/db.ts';
import { servingConnection } from '../../src/kit/postgres/embedded-postgres.ts';
import { createSeal, type Seal } from '../../src/kit/seal.ts';
import { atFileEnd } from '../suite/endings.ts';
import { templateName } from '../suite/global-setup.ts';
import { trashVariable } from './data-dir.ts';

/** A master key that only tests have. */
export const testMasterKey = Buffer.alloc(32, 7);

/** Seals under that key; every test's database carries it. */
export const testSeal: Seal = createSeal(testMasterKey);

export type TestDatabase = {
  /** As the owner of the tables. */
  db: Database;
  /** For a test that opens connections of its own. */
  connection: pg.PoolConfig;
  /** As the role that serves, for gateways: what they may not do fails their tests. */
  serving: { db: Database; connection: pg.PoolConfig };
};

/** A migrated, empty database of the calling test file's own, closed when the file is done. */
export async function testDatabase(maxConnections = 10): Promise<TestDatabase> {
  const { fault } = inject('testServer');
  if (fault !== undefined) throw new Error(`The migrations could not be applied: ${fault}`);
  return await databaseFrom(templateName, maxConnections);
}

/** A database without a single table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return await databaseFrom('template0', 10);
}

/** The limits of a product that must answer somebody; on a busy machine even a connection takes longer. */
const patient = { connectionTimeoutMillis: 600_000, statement_timeout: 600_000, query_timeout: 600_000 };

async function databaseFrom(template: string, maxConnections: number): Promise<TestDatabase> {
  const { connection: server, inMemory } = inject('testServer');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Copying the files takes less than half of the time that writing the copy to the log takes.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const connection = { ...server, ...patient, database: name };
  const served = servingConnection(connection);
  const database = {
    db: openDatabase(connection, maxConnections),
    connection,
    serving: { db: openDatabase(served, maxConnections), connection: served },
  };
  for (const { db } of [database, database.serving]) carrySeal(db, testSeal);
  atFileEnd(async () => {
    for (const { db } of [database, database.serving]) if (!db.ended) await db.end();
    // Else it ends with the server.
    if (inMemory || process.env[trashVariable] === undefined)
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  return database;
}

/** The address of a test's database, for a process that is given a `DATABASE_URL`. */
export function databaseUrl({ host, port, user, database }: pg.PoolConfig): string {
  return `postgresql:///${database}?user=${user}&host=${encodeURIComponent(host ?? '')}&port=${port}`;
}

/** The settings of a process that works on a test's database: as the role that serves, with the owner to migrate. */
export function databaseEnv({ connection, serving }: TestDatabase): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl(serving.connection),
    MIGRATE_DATABASE_URL: databaseUrl(connection),
  };
}

/**
 * Removes every row of these tables, which are parted by commas; foreign keys and triggers are not asked. Like
 * TRUNCATE it waits for who writes there. That makes new files: for six small tables 40 ms in place of 1 ms.
 */
export async function emptyTables(db: Database, names: string): Promise<void> {
  const deletes = names.split(',').map((name) => `DELETE FROM ${name}`);
  await db.query(`SET LOCAL session_replication_role = replica; LOCK TABLE ${names}; ${deletes.join('; ')}`);
}

async function administer(statement: string): Promise<void> {
  const server = openDatabase({ ...inject('testServer').connection, ...patient }, 1);
  try {
    await server.query(statement);
  } finally {
    await server.end();
  }
}

/** Makes every lease run out, as if its holder had been silent for too long. */
export async function expireLeases(db: Database): Promise<void> {
  await db.query("UPDATE leases SET held_until = now() - interval '1 second'");
}
