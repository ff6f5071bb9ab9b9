import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { openInstallation } from '../../../test/support/backup-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../../test/support/data-dir.ts';
import {
  databaseEnv,
  databaseUrl,
  emptyDatabase,
  type TestDatabase,
  testDatabase,
} from '../../../test/support/database.ts';
import { spawnGateway } from '../../../test/support/gateway-process.ts';
import { type Database, openDatabase, type Reader } from '../../kit/db/db.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { newId } from '../../kit/ids.ts';
import { tablesOf } from '../../operations/backup/tables.ts';
import type { DatabaseServer } from '../../operations/database.ts';
import { assertServed } from '../../operations/moves/moves.ts';
import { makeIntegration } from '../integrations.ts';
import { sourceRoot, withDatabase, withDatabaseAsIs } from '../with-database.ts';
import { moveDatabase } from './move.ts';
import { moveData, type Step } from './steps.ts';

const { directory, source, made } = await openInstallation(200);
afterAll(() => removeDataDir(directory));
const embedded = { DATA_DIR: directory, MASTER_KEY_FILE: join(directory, 'master.key') };
const envOf = (database: TestDatabase) => ({ ...embedded, ...databaseEnv(database) });

/** A connection that does not stay: a move counts those that are open. */
async function on<T>(connection: pg.PoolConfig, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connection, 1);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** The number of rows of each table and a hash over all of them. */
async function contentsOf(reader: Reader): Promise<unknown[]> {
  const tables = (await tablesOf(reader)).filter(({ name }) => name !== 'database_moves');
  const digests = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*), sum(hashtextextended(t::text, 0)) FROM ${name} t`,
  );
  return (await reader.query(`${digests.join(' UNION ALL ')} ORDER BY 1`)).rows;
}

const move = (env: NodeJS.ProcessEnv, order: Parameters<typeof moveDatabase>[1]) =>
  printed(() => moveDatabase(env, order));

async function addressesOf(target: TestDatabase) {
  for (const { db } of [target, target.serving]) if (!db.ended) await db.end();
  return { to: databaseUrl(target.serving.connection), owner: databaseUrl(target.connection) };
}

const before = await contentsOf(source.db);
await source.db.end();

describe('all data move', () => {
  let server: TestDatabase;

  test('from a server to the embedded database, and the old one is not served any more', async () => {
    const moved = await move(envOf(source), { to: 'embedded' });
    expect(moved.code).toBe(0);
    expect(moved.output).toContain(`Moved to the embedded database of ${directory}, in `);
    expect(moved.output).toContain('Remove DATABASE_URL and MIGRATE_DATABASE_URL from the settings');
    expect(await withDatabase(embedded, contentsOf)).toEqual(before);
    const late = await spawnGateway(envOf(source));
    expect(await late.exitCode).toBe(1);
    expect(late.errors()).toMatch(
      /^Florin cannot start: The data of this database were moved to the embedded/,
    );
    expect(late.errors()).toContain(`${directory} at 20`);
    await expect(makeIntegration(envOf(source), 'A shop')).rejects.toThrow('it is not served any more');
    // Other programs and versions that connect can only read.
    await expect(on(source.connection, (db) => db.query('DELETE FROM leases'))).rejects.toThrow('read-only');
  });

  test('from the embedded database to a server, where the serving role has its rights', async () => {
    server = await emptyDatabase();
    const addresses = await addressesOf(server);
    await expect(
      withDatabaseAsIs({ ...embedded, dataDir: directory, database: { kind: 'embedded' } } as never, () =>
        move(embedded, addresses),
      ),
    ).rejects.toThrow('Another gateway already runs on the data directory');
    const moved = await move(embedded, addresses);
    expect(moved).toMatchObject({ code: 0, errors: '' });
    expect(moved.output).toContain(
      `DATABASE_URL=${addresses.to}\nMIGRATE_DATABASE_URL=${addresses.owner}\nMASTER_KEY_FILE=${join(directory, 'master.key')}\n`,
    );
    expect(await withDatabase(envOf(server), contentsOf)).toEqual(before);
    const { rowCount } = await on(server.serving.connection, (db) => db.query('SELECT FROM payments'));
    expect(rowCount).toBe(200);
    await expect(withDatabase(embedded, contentsOf)).rejects.toThrow(`were moved to ${addresses.to} at`);
  });

  test('and back into one that they have left, in place of what it still had', async () => {
    expect(await move(envOf(server), await addressesOf(source))).toMatchObject({ code: 0 });
    expect(await withDatabase(envOf(source), contentsOf)).toEqual(before);
    await printed(() => makeIntegration(envOf(source), 'A shop'));
    expect(await move(envOf(source), { to: 'embedded' })).toMatchObject({ code: 0 });
    const after = await withDatabase(
      embedded,
      async (db) => (await db.query('SELECT FROM integrations')).rowCount,
    );
    expect(after).toBe(2);
  });
});
