import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from './db.ts';
import { isMigrated, migrate, readMigrations } from './migrate.ts';

const coins = 'CREATE TABLE coins (name text)';
let root: string;
let db: Database;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'florin-migrations-'));
  ({ db } = await testDatabase());
  // Without the migrations of the template, which these tests do not use.
  await db.query('TRUNCATE schema_migrations');
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Record<string, string>) {
  for (const [path, sql] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), sql);
  }
  return await readMigrations(root);
}

test('migrations of all slices are applied in the order of their numbers, each once', async () => {
  const migrations = await write({
    'b/migrations/0901_coins.sql': coins,
    'a/migrations/0902_worth.sql': 'ALTER TABLE coins ADD COLUMN worth int',
    'a/migrations/readme.md': 'not SQL',
    'a/migrations/902_short.sql': 'not SQL',
  });
  expect(await isMigrated(db, migrations)).toBe(false);
  expect(await migrate(db, migrations)).toEqual(['0901_coins.sql', '0902_worth.sql']);
  expect(await migrate(db, migrations)).toEqual([]);
  expect(await isMigrated(db, migrations)).toBe(true);
  await db.query('SELECT name, worth FROM coins');
});

test('a new migration is applied to a database that has the older ones', async () => {
  await migrate(db, await write({ '0901_coins.sql': coins }));
  const migrations = await write({ '0902_more.sql': 'CREATE TABLE more ()' });
  expect(await isMigrated(db, migrations)).toBe(false);
  expect(await migrate(db, migrations)).toEqual(['0902_more.sql']);
});

test('a number that is used twice is refused', async () => {
  const files = { 'a/0901_coins.sql': coins, 'b/0901_notes.sql': coins };
  await expect(write(files)).rejects.toThrow('Migration number 901 is used twice');
});

test('a migration that was changed after it had been applied is refused', async () => {
  await migrate(db, await write({ '0901_coins.sql': coins }));
  const changed = await write({ '0901_coins.sql': `${coins};`, '0902_more.sql': 'CREATE TABLE more ()' });
  await expect(migrate(db, changed)).rejects.toThrow('0901_coins.sql was changed');
  await expect(db.query('SELECT FROM more')).rejects.toThrow('does not exist');
});

test('a migration that fails leaves nothing of its run', async () => {
  const migrations = await write({ '0901_coins.sql': coins, '0902_bad.sql': 'CREATE TABLE' });
  await expect(migrate(db, migrations)).rejects.toThrow('syntax error');
  await expect(db.query('SELECT FROM coins')).rejects.toThrow('does not exist');
  expect(await isMigrated(db, migrations)).toBe(false);
});

test('of several processes that start at once one migrates and the others find it done', async () => {
  const migrations = await write({ '0901_coins.sql': coins });
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(db, migrations)));
  expect(runs.flat()).toEqual(['0901_coins.sql']);
});

test('a migration that waits for a table gives up after two seconds, so that those who wait behind it go on', async () => {
  await migrate(db, await write({ '0901_coins.sql': coins }));
  const migrations = await write({ '0902_worth.sql': 'ALTER TABLE coins ADD COLUMN worth int' });
  const keeper = await db.connect();
  try {
    await keeper.query('BEGIN; SELECT FROM coins');
    const refused = expect(migrate(db, migrations)).rejects.toThrow('lock timeout');
    const waits = "SELECT FROM pg_locks WHERE relation = 'coins'::regclass AND NOT granted";
    await expect.poll(async () => (await db.query(waits)).rowCount).toBe(1);
    await db.query('SELECT FROM coins');
    await refused;
  } finally {
    await keeper.query('ROLLBACK');
    keeper.release();
  }
  expect(await migrate(db, migrations)).toEqual(['0902_worth.sql']);
});

test('a migration of two tables is in no circle with a transaction that reads one after the other', async () => {
  await migrate(db, await write({ '0901_coins.sql': coins, '0902_notes.sql': 'CREATE TABLE notes ()' }));
  const migrations = await write({
    '0903_both.sql': 'ALTER TABLE coins ADD COLUMN worth int; ALTER TABLE notes ADD COLUMN text text',
  });
  const reader = await db.connect();
  await reader.query('BEGIN; SELECT FROM notes');
  const migrated = migrate(db, migrations);
  const migrating = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await expect.poll(async () => (await db.query(migrating)).rowCount).toBe(1);
  await reader.query('SELECT FROM coins; COMMIT');
  reader.release();
  expect(await migrated).toEqual(['0903_both.sql']);
});
