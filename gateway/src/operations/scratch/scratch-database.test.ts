import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseUrl, testDatabase } from '../../../test/support/database.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { MayNotMakeDatabases, withScratchDatabase } from './scratch-database.ts';

const { db, connection, serving } = await testDatabase();

const scratchNames = async (): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT s.datname AS name FROM pg_database s JOIN pg_database live ON live.datname = current_database()
     WHERE starts_with(s.datname, 'florin_scratch_' || live.oid || '_')`,
  );
  return rows.map(({ name }) => name);
};

test.each([
  ['fields', connection],
  ['an address', { connectionString: databaseUrl(connection) }],
])(
  'it is empty, beside the live one, and gone afterwards, where the owner is given as %s',
  async (_, owner) => {
    const seen = await withScratchDatabase(owner, async (scratch) => {
      await scratch.query('CREATE TABLE coins (name text)');
      const found = await scratch.query<{ name: string; tables: number }>(
        "SELECT current_database() AS name, count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'",
      );
      return oneRow(found, 'what the database has');
    });
    expect(seen.name).toMatch(/^florin_scratch_\d+_[a-z0-9]+$/);
    expect(seen.tables).toBe(1);
    expect(await scratchNames()).toEqual([]);
    expect((await db.query("SELECT to_regclass('coins') AS coins")).rows).toEqual([{ coins: null }]);
  },
);

test('it is gone after an error too, also while a connection to it is in use', async () => {
  const failing = withScratchDatabase(connection, async (scratch) => {
    void scratch.query('SELECT pg_sleep(600)').catch(() => {});
    await scratch.query('SELECT 1');
    throw new Error('the work failed');
  });
  await expect(failing).rejects.toThrow('the work failed');
  expect(await scratchNames()).toEqual([]);
});

test('one that a killed process left is dropped by the next, and one that is in use is not', async () => {
  await withScratchDatabase(connection, async (scratch) => {
    const [used = ''] = await scratchNames();
    const left = `${used.slice(0, -3)}xyz`;
    await db.query(`CREATE DATABASE ${left} TEMPLATE template0`);
    await withScratchDatabase(connection, async () => {
      const now = await scratchNames();
      expect(now).toContain(used);
      expect(now).not.toContain(left);
      expect(now).toHaveLength(2);
    });
    await scratch.query('SELECT 1');
  });
});

test('a role that may make no database is told what it needs', async () => {
  const role = new pg.Client(serving.connection).user;
  const refused = withScratchDatabase(serving.connection, async () => {});
  await expect(refused).rejects.toThrow(MayNotMakeDatabases);
  await expect(refused).rejects.toThrow(`ALTER ROLE "${role}" CREATEDB`);
});
