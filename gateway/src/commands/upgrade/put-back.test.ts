import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInstallation } from '../../../test/support/backup-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../../test/support/data-dir.ts';
import { databaseEnv } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { migrate, readMigrations } from '../../kit/db/migrate.ts';
import { roleWarning } from '../../operations/database.ts';
import { backup } from '../backup.ts';
import { sourceRoot } from '../with-database.ts';
import { putBack } from './put-back.ts';
import { readSums } from './rehearsal/sums.ts';

const { source, directory, envOf } = await openInstallation(50);
afterAll(() => removeDataDir(directory));
const env = { ...envOf(source), ...databaseEnv(source) };
const file = join(directory, 'before.backup');

/** Works on the database with connections that are closed afterwards. */
async function on<T>(connection: object, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connection, 2);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

const schemaSql = `SELECT string_agg(table_name || '.' || column_name, ' ' ORDER BY table_name, ordinal_position) AS columns
  FROM information_schema.columns WHERE table_schema = 'public'`;
const stateOf = () =>
  on(source.connection, async (db) => ({
    sums: await readSums(db),
    schema: (await db.query(schemaSql)).rows,
    migrations: (await db.query('SELECT number, name, checksum FROM schema_migrations ORDER BY number')).rows,
    functions: (await db.query("SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace"))
      .rows,
  }));
const put = (onlyCompare: boolean) => printed(() => putBack(env, { file, onlyCompare }));

test('what a newer version has migrated is as in the backup again, with rights, once nobody else is there', async () => {
  await printed(() => backup(env, { file }));
  const other = await source.serving.db.connect();
  await expect(put(true)).rejects.toThrow(/connections of other gateways or commands are open/);
  other.release();
  for (const { db } of [source, source.serving]) await db.end();
  const before = await stateOf();
  expect(await put(true)).toMatchObject({ code: 0, output: '' });
  await on(source.connection, async (db) => {
    const sql = `ALTER TABLE payments DROP COLUMN IF EXISTS description; CREATE TYPE next_kind AS ENUM ('a');
      CREATE TABLE next_things (kind next_kind, n serial); CREATE VIEW next_view AS SELECT * FROM next_things;
      CREATE FUNCTION next_one() RETURNS int LANGUAGE sql AS 'SELECT 1';
      ALTER TABLE ledger_entries DISABLE TRIGGER USER; DELETE FROM ledger_entries`;
    const next = { number: 9_900, name: '9900_next.sql', sql, checksum: 'next' };
    await migrate(db, [...(await readMigrations(sourceRoot)), next]);
  });
  expect(await stateOf()).not.toEqual(before);
  expect(await put(true)).toMatchObject({ code: 2, output: '' });
  expect(await put(false)).toMatchObject({
    code: 0,
    output: 'The database is as it was before the upgrade.\n',
  });
  expect(await stateOf()).toEqual(before);
  await on(source.serving.connection, async (db) => {
    expect(await roleWarning(db)).toBeNull();
    expect((await db.query('SELECT FROM payments')).rowCount).toBe(50);
  });
  expect(await put(false)).toMatchObject({ code: 0, output: '' });
});
