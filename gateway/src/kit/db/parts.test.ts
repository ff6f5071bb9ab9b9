import { beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { after } from '../clock.ts';
import { newId } from '../ids.ts';
import { keepParts } from './parts.ts';

// A table as one that migrations have divided: what there was is the rest. The role that serves works on it.
let database: TestDatabase;
beforeEach(async () => {
  database ??= await testDatabase();
  await database.db.query(`
    DROP TABLE IF EXISTS coins;
    CREATE TABLE coins (id uuid PRIMARY KEY, name text NOT NULL) PARTITION BY RANGE (id);
    CREATE TABLE coins_rest PARTITION OF coins DEFAULT;
    GRANT SELECT, INSERT, UPDATE, DELETE ON coins TO florin_app`);
});

const now = new Date();
const today = new Date(now.getTime() - (now.getTime() % 86_400_000));
const inDays = (days: number, from = now) => after(from, days * 86_400);
const keep = (at = now, keptDays = 39) => keepParts(database.serving.db, { table: 'coins', keptDays }, at);

async function add(days: number, count = 1, name = 'pi'): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(inDays(days)));
  await database.serving.db.query('INSERT INTO coins SELECT unnest($1::uuid[]), $2', [ids, name]);
}

/** The days from today at which parts begin and end, and how many rows each has. */
async function parts(): Promise<[since: number | null, until: number | null, rows: number][]> {
  const { rows } = await database.db.query<{ part: string; since: Date | null; until: Date | null }>(
    "SELECT part, since, until FROM parts_of('coins') ORDER BY is_rest, until",
  );
  const day = (time: Date | null) => time && (time.getTime() - today.getTime()) / 86_400_000;
  const found: Awaited<ReturnType<typeof parts>> = [];
  for (const { part, since, until } of rows) {
    const { rowCount } = await database.db.query(`SELECT FROM ${part}`);
    found.push([day(since), day(until), rowCount ?? 0]);
  }
  return found;
}

test('there are parts for the days that come, of a thirteenth of the time that rows are kept', async () => {
  await keep();
  const made = [
    [0, 3, 0],
    [3, 6, 0],
    [6, 9, 0],
    [null, null, 0],
  ];
  expect(await parts()).toEqual(made);
  await keep();
  expect(await parts()).toEqual(made);
  await add(0);
  await add(4);
  await add(-40);
  await add(100);
  expect(await parts()).toEqual([
    [0, 3, 1],
    [3, 6, 1],
    [6, 9, 0],
    [null, null, 2],
  ]);
});

test('a part leaves as a whole when all of it is old, and what has no part row by row', async () => {
  await keep();
  for (const days of [0, 2, 4, -5]) await add(days);
  await keep(inDays(38));
  expect(await parts()).toEqual([
    [0, 3, 2],
    [3, 6, 1],
    [6, 9, 0],
    [null, null, 0],
  ]);
  await keep(inDays(42, today));
  expect(await parts()).toEqual([
    [3, 6, 1],
    [6, 9, 0],
    [null, null, 0],
  ]);
});

test('what was written before there was a part for it is moved there', async () => {
  await add(0);
  await add(1);
  await add(-1);
  await keep();
  expect(await parts()).toEqual([
    [0, 3, 2],
    [3, 6, 0],
    [6, 9, 0],
    [null, null, 1],
  ]);
});

const large = 'x'.repeat(1_900);

test('a large table becomes the first part as it lies, while others write to it', async () => {
  await add(-3, 5_000, large);
  const file = async (name: string) =>
    (await database.db.query('SELECT relfilenode FROM pg_class WHERE oid = to_regclass($1)', [name])).rows;
  const before = await file('coins_rest');
  let isDone = false;
  const kept = keep(now, 91).finally(() => {
    isDone = true;
  });
  let written = 0;
  for (; !isDone; written += 1) await add(0);
  await kept;
  expect(await parts()).toEqual([
    [null, 7, 5_000 + written],
    [7, 14, 0],
    [14, 21, 0],
    [null, null, 0],
  ]);
  expect(await file(`coins_until_${inDays(7).toISOString().slice(0, 10).replaceAll('-', '')}`)).toEqual(
    before,
  );
  await add(8);
  await keep(inDays(90), 91);
  expect((await parts())[0]).toEqual([null, 7, written]);
  await keep(inDays(91 + 7, today), 91);
  expect(await parts()).toEqual([
    [7, 14, 1],
    [14, 21, 0],
    [null, null, 0],
  ]);
});

test('a table that was not looked through in time takes the rows of the next days all the same', async () => {
  await add(-3, 5_000, large);
  const rule = inDays(0.5).toISOString();
  await database.db.query(
    `DO $$ BEGIN EXECUTE format('ALTER TABLE coins_rest ADD CONSTRAINT is_older CHECK (id < %L) NOT VALID', first_id_at('${rule}')); END $$`,
  );
  await expect(add(1)).rejects.toThrow('is_older');
  await keep(now, 91);
  await add(1);
  expect(await parts()).toEqual([
    [null, 7, 5_001],
    [7, 14, 0],
    [14, 21, 0],
    [null, null, 0],
  ]);
});

test('what many rows of long ago take, such as those of a restore, becomes a part too', async () => {
  await keep();
  await add(-3, 5_000, large);
  await keep(now, 52);
  expect(await parts()).toEqual([
    [null, 0, 5_000],
    [0, 3, 0],
    [3, 6, 0],
    [6, 9, 0],
    [null, null, 0],
  ]);
});

test('nobody waits long: while somebody uses the table nothing is made, and it is done later', async () => {
  const user = await database.db.connect();
  try {
    await user.query('BEGIN; SELECT FROM coins');
    await keep();
    expect(await parts()).toEqual([[null, null, 0]]);
  } finally {
    await user.query('ROLLBACK');
    user.release();
  }
  await keep();
  expect(await parts()).toHaveLength(4);
});

test('of several processes at once one makes the parts', async () => {
  await Promise.all([keep(), keep(), keep()]);
  await keep();
  expect(await parts()).toHaveLength(4);
});

test('the role that serves may drop no table but those that are divided', async () => {
  const { db } = database.serving;
  for (const call of ["drop_parts('payments', now())", "keep_parts('payments', 3)"])
    await expect(db.query(`SELECT ${call}`)).rejects.toThrow('not a table that is divided');
});
