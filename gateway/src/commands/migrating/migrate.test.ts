import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { databaseEnv, emptyDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { isMigrated, migrate, readMigrations } from '../../kit/db/migrate.ts';
import { sourceRoot } from '../with-database.ts';
import { awaitMigrations, migrateAlone } from './migrate.ts';

let folder: string;
beforeAll(async () => {
  folder = await testFolder();
});

const envOf = (database: TestDatabase) => ({
  ...databaseEnv(database),
  DATA_DIR: folder,
  MASTER_KEY_FILE: join(folder, 'master.key'),
});

describe('florin migrate', () => {
  test('applies what is missing and names it, gives the serving role its rights, and does nothing the next time', async () => {
    const database = await emptyDatabase();
    const migrations = await readMigrations(sourceRoot);
    const first = await printed(() => migrateAlone(envOf(database)));
    const lines = migrations.map(({ name }) => `${name} is applied\n`).join('');
    expect(first).toEqual({ code: 0, output: `${lines}The database is up to date.\n`, errors: '' });
    expect(await isMigrated(database.serving.db, migrations)).toBe(true);
    expect((await database.serving.db.query('SELECT FROM payments')).rowCount).toBe(0);
    const again = await printed(() => migrateAlone(envOf(database)));
    expect(again).toEqual({ code: 0, output: 'The database is up to date.\n', errors: '' });
  });

  test('waits while another program keeps a table, and leaves it to others in between', async () => {
    const database = await emptyDatabase();
    const migrations = await readMigrations(sourceRoot);
    await migrate(database.db, migrations.slice(0, -1));
    const keeper = await database.db.connect();
    await keeper.query('BEGIN; LOCK TABLE schema_migrations IN SHARE MODE');
    const waits = "SELECT FROM pg_locks WHERE relation = 'schema_migrations'::regclass AND NOT granted";
    const waiting = async () => (await keeper.query(waits)).rowCount;
    const migrated = printed(() => migrateAlone(envOf(database)));
    await expect.poll(waiting).toBe(1);
    await expect.poll(waiting).toBe(0);
    await keeper.query('COMMIT');
    keeper.release();
    expect(await migrated).toMatchObject({
      code: 0,
      output: `${migrations.at(-1)?.name} is applied\nThe database is up to date.\n`,
    });
  });

  test('by a role that owns nothing says whose work it is', async () => {
    const database = await emptyDatabase();
    const env = { ...envOf(database), MIGRATE_DATABASE_URL: '' };
    await expect(migrateAlone(env)).rejects.toThrow('MIGRATE_DATABASE_URL must be their owner');
  });

  test('with --wait applies nothing, and ends when another process has applied them', async () => {
    const database = await emptyDatabase();
    const env = { ...envOf(database), MIGRATE_DATABASE_URL: '' };
    const late = await printed(() => awaitMigrations(env, 0));
    expect(late).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('within 0 s') });
    const { rowCount } = await database.db.query("SELECT WHERE to_regclass('schema_migrations') IS NULL");
    expect(rowCount).toBe(1);
    const [waited] = await Promise.all([
      printed(() => awaitMigrations(env, 600)),
      migrateAlone(envOf(database)),
    ]);
    expect(waited).toMatchObject({ code: 0, output: expect.stringContaining('The database is up to date.') });
  });

  test('with --wait is for a database of your own', async () => {
    await expect(awaitMigrations({ DATA_DIR: folder }, 1)).rejects.toThrow('--wait needs DATABASE_URL');
  });
});
