import { expect, test } from 'vitest';
import { emptyDatabase, testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { type Database, openDatabase } from '../../../kit/db/db.ts';
import { roleWarning } from '../../database.ts';
import { checkDatabase } from './database.ts';
import { checkMaintenance, judge as judgeAge } from './maintenance.ts';

const { db, connection, serving } = await testDatabase();

const names = async (given: Parameters<typeof examinedWith>[1], check = checkDatabase) =>
  (await findingsOf(check, await examinedWith({}, given))).map(([finding]) => finding);

test('a server that does not wait for the disk is a fault, as the one of these tests is on purpose', async () => {
  const { rows } = await db.query<{ fsync: string }>("SELECT current_setting('fsync') AS fsync");
  const found = await names({ db });
  expect(found.includes('not_safe')).toBe(rows[0]?.fsync === 'off');
});

test('commits that are answered too early are a fault', async () => {
  const one: Database = openDatabase(connection, 1);
  await one.query('SET synchronous_commit = off');
  expect(await names({ db: one })).toContain('late_commits');
  await one.query('SET synchronous_commit = on');
  expect(await names({ db: one })).not.toContain('late_commits');
  await one.end();
});

test('too few connections for the gateways that run are named', async () => {
  await db.query(
    `INSERT INTO gateway_processes (id, host, pid, version, started_at, seen_at, loops)
     SELECT gen_random_uuid(), 'elsewhere', n, '0', now(), now(), '[]' FROM generate_series(1, 1000) n`,
  );
  expect(await names({ db })).toContain('few_connections');
  await db.query('DELETE FROM gateway_processes');
});

test('a role that owns the tables is named as one that can rewrite them, and the one that serves is not', async () => {
  expect(await names({ db, roleWarning: () => roleWarning(db) })).toContain('rights');
  expect(await names({ db, roleWarning: () => roleWarning(serving.db) })).not.toContain('rights');
});

test('one that cannot be opened, that is not there, or whose tables are older says so', async () => {
  expect(await names({ databaseFault: 'connect ECONNREFUSED' })).toEqual(['unusable']);
  expect(await names({})).toEqual(['not_yet']);
  const older = await emptyDatabase();
  expect(await names({ db: older.db, isMigrated: async () => false })).toContain('older_tables');
});

test('a large table is analyzed, or named', async () => {
  // The server of these tests tidies nothing up by itself.
  const look = async () =>
    (await findingsOf(checkMaintenance, await examinedWith({}, { db }))).filter(
      ([finding]) => !/^(ok|off)$/.test(finding),
    );
  expect(await look()).toEqual([]);
  await db.query(
    `CREATE TABLE large AS SELECT n FROM generate_series(1, 150000) n;
     ALTER TABLE large SET (autovacuum_enabled = off)`,
  );
  // The server counts rows a moment after they were written.
  await expect.poll(look, { timeout: 60_000 }).toEqual([['never_analyzed', 'large']]);
  await db.query('ANALYZE large');
  await expect.poll(look, { timeout: 60_000 }).toEqual([]);
});

test('a table that is divided by time has a part for tomorrow, or is named', async () => {
  const older = await testDatabase();
  expect(await names({ db: older.db }, checkMaintenance)).not.toContain('no_parts');
  await older.db.query('CREATE TABLE coins (id uuid PRIMARY KEY) PARTITION BY RANGE (id)');
  await older.db.query('CREATE TABLE coins_rest PARTITION OF coins DEFAULT');
  const found = await findingsOf(checkMaintenance, await examinedWith({}, { db: older.db }));
  expect(found).toContainEqual(['no_parts', 'coins']);
});

test('autovacuum that is off and old transactions are named before writes are refused', () => {
  const found = (autovacuum: string, age: number) =>
    judgeAge({ autovacuum, age }).map(({ finding }) => finding);
  expect(found('on', 200_000_000)).toEqual([]);
  expect(found('off', 0)).toEqual(['off']);
  expect(found('on', 600_000_000)).toEqual(['old_transactions']);
  expect(found('on', 1_600_000_000)).toEqual(['few_transactions']);
});
