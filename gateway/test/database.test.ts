import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseUrl, testDatabase } from './support/database.ts';

const [one, other] = await Promise.all([testDatabase(), testDatabase()]);

test('each test database is migrated, and its own', async () => {
  await one.db.query('CREATE TABLE coins (name text)');
  await expect(other.db.query('SELECT FROM coins')).rejects.toThrow('does not exist');
  await other.db.query('SELECT FROM schema_migrations');
});

test('a test database can be reached by its address', async () => {
  const client = new pg.Client(databaseUrl(one.connection));
  await client.connect();
  const { rows } = await client.query('SELECT current_database() AS name');
  expect(rows).toEqual([{ name: one.connection.database }]);
  await client.end();
});
