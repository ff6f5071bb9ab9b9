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
import { seedBalance } from '../../../test/support/fixtures.ts';
import { spawnGateway } from '../../../test/support/gateway-process.ts';
import { type Database, openDatabase, type Reader } from '../../kit/db/db.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { newId } from '../../kit/ids.ts';
import { startEmbedded } from '../../kit/postgres/embedded-postgres.ts';
import { relationCount, tablesOf } from '../../operations/backup/tables.ts';
import type { DatabaseServer } from '../../operations/database.ts';
import { assertServed } from '../../operations/moves/moves.ts';
import { makeIntegration } from '../integrations.ts';
import { sourceRoot, withDatabase } from '../with-database.ts';
import { moveDatabase } from './move.ts';
import { moveData, type Step } from './steps.ts';

const { directory, source, made } = await openInstallation(50);
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

const migrations = await readMigrations(sourceRoot);
const before = await contentsOf(source.db);
await source.db.end();

const spoilSql = "UPDATE ledger_accounts SET balance = balance + 1 WHERE kind = 'business'";
/** Makes a database change what is loaded into it. */
const spoiled = `
  CREATE SCHEMA odd;
  CREATE FUNCTION odd.spoil() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF to_regclass('ledger_accounts') IS NOT NULL THEN ${spoilSql}; END IF;
  END $$;
  CREATE EVENT TRIGGER spoil ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION odd.spoil()`;

describe('all data move', () => {
  let server: TestDatabase;

  test('from a server to the embedded database, and the old one is not served any more', async () => {
    const moved = await move(envOf(source), { to: 'embedded' });
    expect(moved.code).toBe(0);
    expect(moved.output).toContain(` to the embedded database of ${directory}, in `);
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
    const held = await startEmbedded({ dataDir: directory, log: () => {} });
    await expect(move(embedded, addresses)).rejects.toThrow(
      'Another gateway already runs on the data directory',
    );
    await held.stop();
    const moved = await move(embedded, addresses);
    expect(moved).toMatchObject({ code: 0, errors: '' });
    expect(moved.output).toContain(
      `DATABASE_URL=${addresses.to}\nMIGRATE_DATABASE_URL=${addresses.owner}\nMASTER_KEY_FILE=${join(directory, 'master.key')}\n`,
    );
    expect(await withDatabase(envOf(server), contentsOf)).toEqual(before);
    const { rowCount } = await on(server.serving.connection, (db) => db.query('SELECT FROM payments'));
    expect(rowCount).toBe(50);
    await expect(withDatabase(embedded, contentsOf)).rejects.toThrow(`were moved to ${addresses.to} at`);
  });

  test('and back into one that they have left, in place of what it still had', async () => {
    await printed(() => makeIntegration(envOf(server), 'A shop'));
    expect(await move(envOf(server), { to: 'embedded' })).toMatchObject({ code: 0 });
    const { rowCount } = await withDatabase(embedded, (db) => db.query('SELECT FROM integrations'));
    expect(rowCount).toBe(2);
  });
});

describe('a move', () => {
  const serverOf = ({ connection, serving }: TestDatabase): DatabaseServer => ({
    ...{ owner: connection, serving: serving.connection, isExternal: true, stop: async () => {} },
  });

  async function newSource(): Promise<TestDatabase> {
    const database = await testDatabase();
    await seedBalance(database.db, {
      owner: made.integration_id,
      kind: 'business',
      mode: 'test',
      asset: 'pi',
      units: 7n,
    });
    await database.db.end();
    return database;
  }

  /** Moves, and ends where the process would be killed after that step. */
  async function moveUntil(
    from: TestDatabase,
    to: TestDatabase,
    last: Step['name'] | null,
  ): Promise<string[]> {
    const now = new Date();
    const { findings } = await moveData({
      ...{ source: serverOf(from), target: serverOf(to), migrations, onProgress: () => {} },
      move: {
        id: newId(now),
        moved_at: now,
        origin: databaseUrl(from.connection),
        target: databaseUrl(to.connection),
      },
      onStep: ({ name }) => {
        if (name === last) throw new Error('killed');
      },
    });
    return findings;
  }

  /** Which of them may be served. */
  async function served(...databases: TestDatabase[]): Promise<boolean[]> {
    const asked = databases.map(({ connection }) => on(connection, assertServed));
    return (await Promise.allSettled(asked)).map(({ status }) => status === 'fulfilled');
  }

  async function emptyTarget(): Promise<TestDatabase> {
    const database = await emptyDatabase();
    await addressesOf(database);
    return database;
  }

  test('that ended at any step is completed by the next one, and at no time are both databases served', async () => {
    const [from, to] = [await newSource(), await emptyTarget()];
    const contents = await on(from.connection, contentsOf);
    await expect(moveUntil(from, to, 'copied')).rejects.toThrow('killed');
    expect(await served(from, to)).toEqual([true, false]);
    await expect(moveUntil(from, to, 'left')).rejects.toThrow('killed');
    expect(await served(from, to)).toEqual([false, false]);
    await expect(on(to.connection, assertServed)).rejects.toThrow('whose move was not completed');
    expect(await moveUntil(from, to, null)).toEqual([]);
    expect(await served(from, to)).toEqual([false, true]);
    expect(await on(to.connection, contentsOf)).toEqual(contents);
    await expect(moveUntil(from, await emptyTarget(), null)).rejects.toThrow('were moved to');
  });

  test('is made by one of two at once', async () => {
    const [from, one, other] = [await newSource(), await emptyTarget(), await emptyTarget()];
    const moves = await Promise.allSettled([moveUntil(from, one, null), moveUntil(from, other, null)]);
    expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [isServed, isOne, isOther] = await served(from, one, other);
    const counts = await Promise.all([one, other].map(({ connection }) => on(connection, relationCount)));
    expect([isServed, isOne && isOther, counts.filter((count) => count > 0).length]).toEqual([
      false,
      true,
      1,
    ]);
  });

  test('is refused while something is connected as a role of Florin, and changes nothing', async () => {
    const [from, to] = [await newSource(), await emptyTarget()];
    await on(from.serving.connection, async (gateway) => {
      await gateway.query('SELECT FROM payments');
      await expect(moveUntil(from, to, null)).rejects.toThrow(
        '1 other connection is open in the database that is',
      );
    });
    expect([await served(from), await on(to.connection, relationCount)]).toEqual([[true], 0]);
    const other = await newSource();
    await expect(moveUntil(from, other, null)).rejects.toThrow(
      'The database to move to is not empty: it has',
    );
    await expect(moveUntil(from, from, null)).rejects.toThrow('The database to move to is not empty: it has');
    expect(await served(from, other)).toEqual([true, true]);
  });

  test('is made by the owner of the database alone', async () => {
    const [from, to] = [await newSource(), await emptyTarget()];
    const asServing = { ...from, connection: from.serving.connection };
    await expect(moveUntil(asServing, to, null)).rejects.toThrow('which only its owner can: as a superuser');
    expect(await served(from)).toEqual([true]);
  });

  test('is refused where the copy is not the same, and takes along faults that there were', async () => {
    const [from, to] = [await newSource(), await emptyTarget()];
    await on(to.connection, (db) => db.query(spoiled));
    await expect(moveUntil(from, to, null)).rejects.toThrow(
      /^The copy is not right, and the old database is served as before: not true: a stored balance is the sum/,
    );
    expect(await served(from, to)).toEqual([true, false]);
    await on(to.connection, (db) => db.query('DROP EVENT TRIGGER spoil'));
    await on(from.connection, (db) => db.query(spoilSql));
    expect(await moveUntil(from, to, null)).toEqual([expect.stringContaining('stored 8, entries 7')]);
  });

  test.each([
    [{ to: 'elsewhere' }, 'must be embedded, or addresses that begin with postgres://'],
    [{ to: 'embedded', owner: 'postgres:///florin' }, '--owner is for a server of your own'],
  ])('to %j is refused', async (order, why) => {
    await expect(moveDatabase({ DATA_DIR: directory }, order)).rejects.toThrow(why);
  });
});
