import { beforeAll, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { readConfig } from '../config/config.ts';
import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { type Database, openDatabase, transaction } from '../kit/db/db.ts';
import type { Migration } from '../kit/db/migrate.ts';
import { newId } from '../kit/ids.ts';
import { roles } from '../kit/postgres/postgres-access.ts';
import { migrateFor, roleWarning, servingRole } from './database.ts';
import { keptTables } from './kept-tables.ts';

let database: TestDatabase;
let owner: Database;
let app: Database;
beforeAll(async () => {
  database = await testDatabase();
  [owner, app] = [database.db, database.serving.db];
  await seedBalance(owner, { kind: 'user', owner: newId(), mode: 'test', asset: 'pi', units: 5n });
  const change = { action: 'made', subject: { kind: 'test', id: 'x' } };
  await transaction(owner, (tx) => recordChange(tx, commandActor, change, new Date()));
  await owner.query(`INSERT INTO stamps (number, version, book, from_seq, to_seq, rows, digest, marks, made_at, previous, hash)
    VALUES (1, 1, 'audit', 1, 1, 1, '', '', now(), '', '')`);
});

type Rights = {
  name: string;
  kind: string;
  rights: string;
  columns: string[] | null;
  /** Columns that may not be given, where those that may are granted one by one. */
  numbered: string[] | null;
};

/** What a role was granted of each table and sequence, beside what everybody has. */
async function rightsOf(reader: Database, role: string): Promise<Rights[]> {
  const { rows } = await reader.query<Rights>(
    `SELECT c.relname AS name, c.relkind AS kind,
       (SELECT string_agg(privilege_type, ' ' ORDER BY privilege_type) FROM aclexplode(c.relacl)
        WHERE grantee IN (0, to_regrole($1))) AS rights,
       (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_attribute a, aclexplode(a.attacl) x
        WHERE a.attrelid = c.oid AND x.grantee = to_regrole($1) AND x.privilege_type = 'UPDATE') AS columns,
       (SELECT array_agg(a.attname::text ORDER BY a.attname) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind = 'r'
          AND NOT has_column_privilege($1, c.oid, a.attnum, 'INSERT')
          AND has_any_column_privilege($1, c.oid, 'INSERT')) AS numbered
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT c.relispartition
     ORDER BY c.relname`,
    [role],
  );
  return rows;
}

const changeable = {
  ledger_accounts: ['balance', 'held'],
  appeal_messages: ['mailed_at'],
  treasury_restores: ['lifted_at'],
  security_events: ['actor_name', 'count', 'until'],
};

const numbered = { ledger_entries: ['seq'], ledger_accounts: ['id'], audit_log: ['seq'] };

function intended({ name, kind }: Rights): Omit<Rights, 'name' | 'kind'> {
  if (kind === 'S') return { rights: 'SELECT USAGE', columns: null, numbered: null };
  if (kind === 'v' || kind === 'm' || keptTables[name]?.isReadOnly)
    return { rights: 'SELECT', columns: null, numbered: null };
  if (!(name in keptTables)) return { rights: 'DELETE INSERT SELECT UPDATE', columns: null, numbered: null };
  const hidden = (numbered as Record<string, string[]>)[name] ?? null;
  return {
    rights: hidden ? 'SELECT' : 'INSERT SELECT',
    columns: (changeable as Record<string, string[]>)[name] ?? null,
    numbered: hidden,
  };
}

test('the role that serves has the intended rights of every table and sequence, and owns nothing', async () => {
  const rights = await rightsOf(owner, roles.app);
  expect(rights.length).toBeGreaterThan(90);
  for (const name of Object.keys(keptTables)) expect(rights.map((each) => each.name)).toContain(name);
  expect(rights).toEqual(rights.map((each) => ({ name: each.name, kind: each.kind, ...intended(each) })));
  const { rows } = await owner.query(
    `SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = to_regrole($1) AND deptype = 'o'`,
    [roles.app],
  );
  expect(rows).toEqual([]);
  const creates =
    "SELECT has_schema_privilege(current_schema(), 'CREATE') AS schema, has_database_privilege(current_database(), 'CREATE') AS database";
  expect((await app.query(creates)).rows).toEqual([{ schema: false, database: false }]);
});

const books = ['ledger_transfers', 'ledger_entries', 'audit_log', 'stamps'];
const someColumn = {
  ledger_transfers: 'cause',
  ledger_entries: 'units',
  audit_log: 'action',
  stamps: 'rows',
};

test.each([
  ...books.flatMap((table) => [
    `UPDATE ${table} SET ${someColumn[table as 'stamps']} = ${someColumn[table as 'stamps']}`,
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `ALTER TABLE ${table} DISABLE TRIGGER USER`,
    `ALTER TABLE ${table} OWNER TO florin_app`,
    `DROP TABLE ${table} CASCADE`,
    `DROP TRIGGER ${table}_append_only ON ${table}`,
    `CREATE RULE quiet AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
    `SELECT FROM ${table} FOR UPDATE`,
  ]),
  "UPDATE ledger_accounts SET owner = 'x'",
  'DELETE FROM ledger_accounts',
  'INSERT INTO ledger_entries (seq, account, transfer, units) OVERRIDING SYSTEM VALUE SELECT -1, account, transfer, units FROM ledger_entries',
  'INSERT INTO audit_log OVERRIDING SYSTEM VALUE SELECT * FROM audit_log',
  "INSERT INTO ledger_accounts (id, kind, owner, mode, asset, stored) OVERRIDING SYSTEM VALUE VALUES (1000, 'user', 'x', 'test', 'pi', true)",
  'UPDATE treasury_restores SET backup_at = now()',
  "UPDATE treasury_restores SET known_moves = '{}'",
  'DELETE FROM schema_migrations',
  'DELETE FROM security_events',
  'SET session_replication_role = replica',
  "SELECT setval('ledger_entries_seq_seq', 1)",
  'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
  'SET ROLE florin',
  'SET SESSION AUTHORIZATION florin',
  'ALTER ROLE florin_app SUPERUSER',
  'GRANT florin TO florin_app',
  `COPY (SELECT 1) TO PROGRAM 'true'`,
  "SELECT pg_read_file('postgresql.conf')",
])('it is refused: %s', async (statement) => {
  await expect(app.query(statement)).rejects.toThrow(
    /permission denied|must be owner|must be superuser|cannot be granted|Only roles with/,
  );
});

test('it reads all that the hash chain is made from, and adds to each book', async () => {
  const numbers = 'SELECT last_value FROM';
  for (const name of ['ledger_entries_seq_seq', 'ledger_accounts_id_seq', 'audit_log_seq_seq'])
    expect((await app.query(`${numbers} ${name}`)).rowCount).toBe(1);
  await seedBalance(app, { kind: 'user', owner: newId(), mode: 'test', asset: 'pi', units: 7n });
  const change = { action: 'made', subject: { kind: 'test', id: 'y' } };
  await transaction(app, (tx) => recordChange(tx, commandActor, change, new Date()));
});

const migration = (number: number, sql: string): Migration => ({
  number,
  name: `${number}_x.sql`,
  sql,
  checksum: `${number}`,
});
const madeTables = `CREATE TABLE coins (id bigint GENERATED ALWAYS AS IDENTITY, name text);
  CREATE TABLE stamps (number bigint PRIMARY KEY); CREATE TABLE ledger_accounts (id bigint, balance bigint)`;

test('a table or column that a later migration makes has its rights with it, and what was given by hand is taken', async () => {
  const { db, serving } = await emptyDatabase();
  const first = migration(1, madeTables);
  await migrateFor(db, [first], roles.app);
  const before = await rightsOf(db, roles.app);
  await serving.db.query(`INSERT INTO coins (name) VALUES ('florin'); UPDATE coins SET name = 'x'; DELETE FROM coins;
    INSERT INTO stamps VALUES (1); INSERT INTO ledger_accounts VALUES (1, 1); UPDATE ledger_accounts SET balance = 2`);
  await db.query(
    'GRANT ALL ON stamps, ledger_accounts, coins TO florin_app; GRANT UPDATE (number) ON stamps TO florin_app',
  );
  const second = migration(2, 'ALTER TABLE ledger_accounts ADD COLUMN held bigint; CREATE SEQUENCE turns');
  await migrateFor(db, [first, second], roles.app);
  const after = await rightsOf(db, roles.app);
  expect(after).toEqual(
    [...before, { name: 'turns', kind: 'S', rights: 'SELECT USAGE', columns: null, numbered: null }].map(
      (each) => (each.name === 'ledger_accounts' ? { ...each, columns: ['balance', 'held'] } : each),
    ),
  );
  expect(await roleWarning(serving.db)).toBeNull();
});

test('an owner who is no superuser gives the rights of what is theirs, and leaves alone what others made there', async () => {
  const { db, connection, serving } = await emptyDatabase();
  const name = `owner_${newId().slice(-12)}`;
  await db.query(
    `CREATE ROLE ${name}; GRANT CREATE ON SCHEMA public TO ${name}; CREATE VIEW other AS SELECT 1`,
  );
  const limited = openDatabase(connection, 1);
  try {
    await limited.query(`SET ROLE ${name}`);
    await migrateFor(
      limited,
      [migration(1, `${madeTables}; CREATE VIEW own AS SELECT name FROM coins`)],
      roles.app,
    );
    const rights = new Map((await rightsOf(db, roles.app)).map((each) => [each.name, each.rights]));
    expect([rights.get('own'), rights.get('other'), rights.get('stamps')]).toEqual([
      'SELECT',
      null,
      'INSERT SELECT',
    ]);
    expect((await serving.db.query('SELECT name FROM own')).rows).toEqual([]);
    expect(await roleWarning(serving.db)).toBeNull();
    expect(await roleWarning(limited)).toContain('stamps');
  } finally {
    await limited.end();
    await db.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  }
});

test('where one role serves and owns, a warning names the tables and the way out', async () => {
  expect(await roleWarning(app)).toBeNull();
  expect(await roleWarning(owner)).toMatch(/audit_log.*ledger_entries.*stamps.*MIGRATE_DATABASE_URL/);
  const one = { connectionString: 'postgres://me@db/florin' };
  expect(servingRole({ owner: one, serving: one })).toBeNull();
  expect(servingRole({ owner: one, serving: { connectionString: 'postgres://less@db/florin' } })).toBe(
    'less',
  );
});

test('a role that got such a right by another way is found, whichever it was', async () => {
  const role = `mate_${newId().slice(-12)}`;
  await owner.query(`CREATE ROLE ${role} LOGIN`);
  await transaction(owner, (tx) => tx.query(`GRANT USAGE ON SCHEMA public TO ${role}`));
  const mate = openDatabase({ ...database.connection, user: 'florin' }, 1);
  const warned = async () => {
    await mate.query(`SET ROLE ${role}`);
    return await roleWarning(mate);
  };
  try {
    expect(await warned()).toBeNull();
    await owner.query(`GRANT UPDATE (rows) ON stamps TO ${role}`);
    expect(await warned()).toContain('can rewrite stamps.');
    await owner.query(`REVOKE UPDATE (rows) ON stamps FROM ${role}`);
    await owner.query('GRANT DELETE ON audit_log TO PUBLIC');
    expect(await warned()).toContain('can rewrite audit_log.');
    await owner.query('REVOKE DELETE ON audit_log FROM PUBLIC');
    await owner.query(`ALTER ROLE ${role} NOINHERIT; GRANT florin TO ${role}`);
    expect(await warned()).toContain('ledger_entries');
  } finally {
    await mate.end();
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('a role without an owner beside it starts on tables that are up to date, and says who is missing where they are not', async () => {
  const { db, serving } = await emptyDatabase();
  const first = migration(1, madeTables);
  await migrateFor(db, [first], roles.app);
  await migrateFor(serving.db, [first], null);
  const later = [first, migration(2, 'CREATE SEQUENCE turns')];
  await expect(migrateFor(serving.db, later, null)).rejects.toThrow(
    'MIGRATE_DATABASE_URL must be their owner',
  );
});

test('the settings name an owner only beside a database of your own', () => {
  const [url, ownerUrl] = ['postgres://less@db.example/florin', 'postgresql://owner@db.example/florin'];
  const external = { DATABASE_URL: url, MASTER_KEY_FILE: import.meta.filename };
  expect(readConfig(external).database).toEqual({ kind: 'external', url, ownerUrl: null });
  expect(readConfig({ ...external, MIGRATE_DATABASE_URL: ownerUrl }).database).toMatchObject({ ownerUrl });
  const faulty = (env: Record<string, string>) => () => readConfig(env);
  expect(faulty({ MIGRATE_DATABASE_URL: ownerUrl })).toThrow('MIGRATE_DATABASE_URL needs DATABASE_URL');
  expect(faulty({ ...external, MIGRATE_DATABASE_URL: 'mysql://db' })).toThrow('must begin with postgres://');
});
