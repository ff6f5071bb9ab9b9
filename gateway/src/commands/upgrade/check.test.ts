import { afterAll, expect, test } from 'vitest';
import { openInstallation } from '../../../test/support/backup-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../../test/support/data-dir.ts';
import { databaseEnv, emptyDatabase } from '../../../test/support/database.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { sourceRoot } from '../with-database.ts';
import { rehearseUpgrade } from './check.ts';
import { rehearse } from './rehearsal/rehearse.ts';

const { source, directory, envOf } = await openInstallation(50);
afterAll(() => removeDataDir(directory));
const { db, connection } = source;

const tablesSql = `SELECT string_agg(relname, ',' ORDER BY relname) AS names FROM pg_class WHERE relkind = 'r'`;
const scratchSql = `SELECT s.datname FROM pg_database s, pg_database d
  WHERE d.datname = current_database() AND starts_with(s.datname, 'florin_scratch_' || d.oid || '_')`;

/** The migrations of this build, and after them those of a next version. */
async function migrationsWith(...next: string[]) {
  const own = await readMigrations(sourceRoot);
  const added = next.map((sql, index) => {
    const number = 9_900 + index;
    return { number, name: `${number}_next.sql`, sql, checksum: 'next' };
  });
  return [...own, ...added];
}

const rehearsed = async (...next: string[]) =>
  await rehearse({
    owner: connection,
    live: db,
    migrations: await migrationsWith(...next),
    onProgress: () => {},
  });

test('migrations are tried on a copy with all rows, and each says what it takes and which tables it locks', async () => {
  const before = (await db.query(tablesSql)).rows;
  const found = await rehearsed(
    'ALTER TABLE payments ADD COLUMN next_note text',
    "UPDATE payments SET next_note = 'x'; CREATE INDEX next_index ON ledger_holds (id)",
    'CREATE TABLE next_table (id bigint)',
  );
  expect(found.migrations).toEqual([
    { name: '9900_next.sql', ms: expect.any(Number), locks: ['payments'] },
    { name: '9901_next.sql', ms: expect.any(Number), locks: ['ledger_holds'] },
    { name: '9902_next.sql', ms: expect.any(Number), locks: [] },
  ]);
  const { rows } = await db.query('SELECT count(*) AS payments FROM payments');
  expect(rows).toEqual([{ payments: 50n }]);
  expect(found.copied.rows).toBeGreaterThan(50);
  expect(found.differences).toEqual([]);
  expect(found.sums).toBeGreaterThan(10);
  expect(found.before?.ledger).toEqual(found.after.ledger);
  expect(found.after.ledger.findings).toEqual([]);
  expect((await db.query(tablesSql)).rows).toEqual(before);
  expect((await db.query(scratchSql)).rows).toEqual([]);
});

test('a migration that fails on what is there is named with the reason, and nothing is left', async () => {
  const failing = rehearsed('SELECT 1', "INSERT INTO payments (id) VALUES ('none')");
  await expect(failing).rejects.toThrow(
    /The migration 9901_next\.sql fails on a copy of this database: .*uuid/,
  );
  expect((await db.query(scratchSql)).rows).toEqual([]);
});

test('a migration that changes balances or loses kept rows is found by the sums, and by the audit', async () => {
  const { differences, after } = await rehearsed(
    `ALTER TABLE ledger_entries DISABLE TRIGGER USER; DELETE FROM ledger_entries;
     UPDATE ledger_accounts SET balance = balance - 1 WHERE kind = 'business' AND asset = 'pi' AND stored`,
  );
  expect(differences).toEqual([
    expect.stringMatching(/^rows of ledger_entries: \d+ before, 0 after$/),
    expect.stringMatching(/^balance in test pi of business: \d+ before, \d+ after$/),
  ]);
  expect(after.ledger.findings).not.toEqual([]);
});

test('the command prints what a version without new migrations takes', async () => {
  const { code, output } = await printed(() => rehearseUpgrade(envOf(source), { json: false }));
  expect(output).toMatch(
    /^The database was copied in [\d.]+ s: \d+ tables, [\d,]+ rows, [\d.]+ MB\.\nFlorin \S+ has no new migrations\.\nThe ledger and the hash chain were computed again before and after them, and \d+ sums compared; 0 differ\.\nFlorin \S+ can be installed\.\n$/,
  );
  expect(code).toBe(0);
});

test('a ledger that is not sound before speaks against it', async () => {
  await db.query(
    "UPDATE ledger_accounts SET balance = balance + 1 WHERE kind = 'business' AND asset = 'pi' AND stored",
  );
  const { code, output } = await printed(() => rehearseUpgrade(envOf(source), { json: true }));
  const { fault, rehearsed } = JSON.parse(output);
  expect(fault).toMatch(/^Before the migrations this is not true: a stored balance/);
  expect(rehearsed).toMatchObject({ migrations: [], differences: [] });
  expect(code).toBe(2);
});

test('an empty database has nothing to be tried on', async () => {
  const env = { ...envOf(source), ...databaseEnv(await emptyDatabase()) };
  await expect(printed(() => rehearseUpgrade(env, { json: false }))).rejects.toThrow('The database is empty');
});
