import { expect, test } from 'vitest';
import { emptyDatabase } from '../support/database.ts';
import { contractions } from './contractions.ts';
import { readSchema } from './schema.ts';

const { db } = await emptyDatabase();
await db.query(`
  CREATE TABLE shops (id int PRIMARY KEY);
  CREATE TABLE coins (
    id int PRIMARY KEY,
    name text NOT NULL CONSTRAINT names UNIQUE,
    worth int DEFAULT 1,
    doubled int GENERATED ALWAYS AS (worth * 2) STORED,
    kind text CONSTRAINT kinds CHECK (kind IN ('gold', 'silver')),
    shop int CONSTRAINT of_shop REFERENCES shops ON DELETE CASCADE
  );
  CREATE INDEX worths ON coins (worth);
  CREATE UNIQUE INDEX golden ON coins (shop) WHERE kind = 'gold';
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE TRIGGER touched BEFORE UPDATE ON coins FOR EACH ROW EXECUTE FUNCTION touch();
  CREATE VIEW names_of AS SELECT name FROM coins`);
const before = await readSchema(db);

/** What these statements take away, which are undone. */
async function foundAfter(statements: string): Promise<string[]> {
  const client = await db.connect();
  try {
    await client.query(`BEGIN; ${statements}`);
    return contractions(before, await readSchema(client));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test.each([
  'SELECT',
  'ALTER TABLE coins ADD COLUMN note text',
  "ALTER TABLE coins ADD COLUMN note text NOT NULL DEFAULT ''",
  'ALTER TABLE coins ADD COLUMN n int GENERATED ALWAYS AS IDENTITY',
  'ALTER TABLE coins ADD COLUMN note text UNIQUE, ADD COLUMN more text, ADD CHECK (num_nulls(note, more) <> 1)',
  'ALTER TABLE coins ADD COLUMN other int REFERENCES shops',
  'ALTER TABLE coins ALTER COLUMN kind SET DEFAULT NULL',
  "ALTER TABLE coins ALTER COLUMN name SET DEFAULT ''",
  "ALTER TABLE coins DROP CONSTRAINT kinds, ADD CONSTRAINT kinds CHECK (kind IN ('gold', 'silver', 'copper'))",
  'ALTER TABLE coins DROP CONSTRAINT kinds',
  'DROP INDEX worths; CREATE INDEX ON coins (kind)',
  'CREATE TABLE banks (id int PRIMARY KEY, coin int NOT NULL REFERENCES coins, CHECK (coin > 0))',
  "CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
])('the version before can work after: %s', async (statements) => {
  expect(await foundAfter(statements)).toEqual([]);
});

test.each([
  ['SELECT', 'relation names_of.names_of is gone'],
  ['ALTER TABLE coins DROP COLUMN kind', 'column coins.kind is gone'],
  ['ALTER TABLE coins RENAME COLUMN kind TO metal', 'column coins.kind is gone'],
  ['ALTER TABLE coins RENAME TO pieces', 'relation coins.coins is gone'],
  [
    'ALTER TABLE coins ALTER COLUMN kind TYPE varchar',
    'column coins.kind was text, and is character varying',
  ],
  [
    'ALTER TABLE coins ALTER COLUMN kind TYPE text COLLATE "C"',
    'column coins.kind was text, and is text COLLATE C',
  ],
  ['ALTER TABLE coins ALTER COLUMN kind SET NOT NULL', 'column coins.kind has to have a value'],
  ['ALTER TABLE coins ALTER COLUMN name DROP NOT NULL', 'column coins.name may have no value'],
  ['ALTER TABLE coins ALTER COLUMN worth DROP DEFAULT', 'column coins.worth was 1 by default, and is null'],
  ['ALTER TABLE coins ALTER COLUMN worth SET DEFAULT 2', 'column coins.worth was 1 by default, and is 2'],
  [
    'ALTER TABLE coins ALTER COLUMN doubled DROP EXPRESSION',
    'column coins.doubled was integer GENERATED AS (worth * 2)',
  ],
  ['ALTER TABLE coins ADD COLUMN note text NOT NULL', 'column coins.note is new and has to have a value'],
  [
    'ALTER TABLE coins ADD CONSTRAINT small CHECK (worth < 9)',
    'constraint coins.small is new: CHECK ((worth < 9))',
  ],
  [
    'ALTER TABLE coins ADD COLUMN note text, ADD CONSTRAINT pair CHECK (num_nulls(note, kind) = 0)',
    'constraint coins.pair is new',
  ],
  [
    "ALTER TABLE coins DROP CONSTRAINT kinds, ADD CONSTRAINT kinds CHECK (kind IN ('gold', 'copper'))",
    'constraint coins.kinds was CHECK',
  ],
  [
    'ALTER TABLE coins ADD CONSTRAINT of_worth FOREIGN KEY (worth) REFERENCES shops',
    'constraint coins.of_worth is new',
  ],
  ['ALTER TABLE coins DROP CONSTRAINT of_shop', 'constraint coins.of_shop is gone'],
  ['ALTER TABLE coins DROP CONSTRAINT names', 'constraint coins.names is gone'],
  ['DROP INDEX golden', 'index coins.golden is gone'],
  [
    'DROP INDEX golden; CREATE UNIQUE INDEX golden ON coins (shop)',
    'index coins.golden was CREATE UNIQUE INDEX',
  ],
  ['CREATE UNIQUE INDEX other ON coins (kind)', 'index coins.other is new'],
  ['DROP TRIGGER touched ON coins', 'trigger coins.touched is gone'],
  [
    'CREATE TRIGGER other BEFORE INSERT ON coins FOR EACH ROW EXECUTE FUNCTION touch()',
    'trigger coins.other is new',
  ],
  [
    "CREATE OR REPLACE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    'function touch().touch() was CREATE',
  ],
])('the version before may fail after: %s', async (statements, fault) => {
  const found = await foundAfter(`DROP VIEW IF EXISTS names_of; ${statements}`);
  expect(found.some((line) => line.startsWith(fault))).toBe(true);
});
