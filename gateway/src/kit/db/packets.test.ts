import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { roundTrips } from '../../../test/support/round-trips.ts';
import { type Database, openDatabase, type Tx, together, transaction, withCommit } from './db.ts';

const { db, connection } = await testDatabase();
await db.query('CREATE TABLE coins (name text CONSTRAINT coins_name UNIQUE)');

type Wire = { parsedStatements: Record<string, string> };
const wireOf = (client: unknown): Wire => (client as { connection: Wire }).connection;

// One connection, so that each test has the connection of the one before.
let pool: Database;
beforeAll(() => {
  pool = openDatabase(connection, 1);
  return () => pool.end();
});

const insert = (tx: Tx, name: string) =>
  tx.query({ name: 'insert-coin', text: 'INSERT INTO coins VALUES ($1)', values: [name] });
const coins = async () =>
  (await db.query('SELECT name FROM coins ORDER BY name')).rows.map(({ name }) => name);

/** The next BEGIN of this connection fails: it is executed by a name that the server does not know. */
async function breakBegin(): Promise<pg.PoolClient> {
  const client = await pool.connect();
  await client.query('DEALLOCATE ALL');
  for (const name of Object.keys(wireOf(client).parsedStatements))
    delete wireOf(client).parsedStatements[name];
  wireOf(client).parsedStatements.begin = 'BEGIN';
  client.release();
  return client;
}

describe('a transaction', () => {
  test('takes one round trip for BEGIN with its first statement, and one for COMMIT', async () => {
    expect(await roundTrips(pool, () => transaction(pool, (tx) => insert(tx, 'crown')))).toBe(2);
    expect(await roundTrips(pool, () => transaction(pool, (tx) => tx.query('SELECT 1')))).toBe(2);
    const both = (tx: Tx) => together(tx, () => [insert(tx, 'ducat'), tx.query('SELECT 1')]);
    expect(await roundTrips(pool, () => transaction(pool, both))).toBe(2);
    expect(await coins()).toEqual(['crown', 'ducat']);
  });

  test('takes a single one where all that it asks for comes with COMMIT', async () => {
    const work = async (tx: Tx) => withCommit(tx, () => [insert(tx, 'eagle'), insert(tx, 'franc')]);
    expect(await roundTrips(pool, () => transaction(pool, work))).toBe(1);
    expect(await coins()).toEqual(['crown', 'ducat', 'eagle', 'franc']);
    await db.query("DELETE FROM coins WHERE name IN ('eagle', 'franc')");
  });

  test('is not committed where a statement that comes with COMMIT fails, and throws its error', async () => {
    const work = transaction(pool, async (tx) => {
      await insert(tx, 'groat');
      withCommit(tx, () => [insert(tx, 'heller'), insert(tx, 'crown'), insert(tx, 'imperial')]);
    });
    await expect(work).rejects.toThrow('coins_name');
    expect(await coins()).toEqual(['crown', 'ducat']);
  });

  test('sends nothing where it asks for nothing', async () => {
    expect(await roundTrips(pool, () => transaction(pool, async () => 'nothing'))).toBe(0);
  });

  test('whose first text has several commands begins before them', async () => {
    const two = "INSERT INTO coins VALUES ('guinea'); INSERT INTO coins VALUES ('crown')";
    await expect(transaction(pool, (tx) => tx.query(two))).rejects.toThrow('coins_name');
    expect(await coins()).not.toContain('guinea');
  });

  test.each([
    ['its first statement', (tx: Tx) => insert(tx, 'without')],
    [
      'statements that are sent together',
      (tx: Tx) => together(tx, () => [tx.query('SELECT 1'), insert(tx, 'without')]),
    ],
    [
      'what is asked for before BEGIN was answered',
      (tx: Tx) => Promise.all([tx.query('SELECT 1'), insert(tx, 'without')]),
    ],
    [
      'what is asked for beside them',
      (tx: Tx) => Promise.all([together(tx, () => [tx.query('SELECT 1')]), insert(tx, 'without')]),
    ],
    [
      'what is sent together beside them',
      (tx: Tx) => Promise.all([tx.query('SELECT 1'), together(tx, () => [insert(tx, 'without')])]),
    ],
  ])('whose BEGIN fails does not execute %s', async (_, work) => {
    const client = await breakBegin();
    await expect(transaction<unknown>(pool, work)).rejects.toMatchObject({ code: '26000' });
    expect(await coins()).not.toContain('without');
    delete wireOf(client).parsedStatements.begin;
    await transaction(pool, (tx) => tx.query('SELECT 1'));
  });

  test('has what is asked for at once in it from the first on', async () => {
    const work = transaction(pool, async (tx) => {
      await Promise.all([insert(tx, 'mark'), insert(tx, 'noble'), together(tx, () => [insert(tx, 'obol')])]);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await coins()).toEqual(['crown', 'ducat']);
  });
});

describe('a packet with a statement that fails', () => {
  const named = (tx: Tx, name: string, text: string) => tx.query({ name, text });

  test('leaves the prepared statements as the server has them', async () => {
    const cannotRun = 'SELECT 1 / count(*) FROM coins WHERE name IS NULL';
    const work = transaction(pool, (tx) =>
      together(tx, () => [
        named(tx, 'runs', 'SELECT 1 AS one'),
        named(tx, 'cannot-run', cannotRun),
        named(tx, 'behind', 'SELECT 2 AS two'),
      ]),
    );
    await expect(work).rejects.toMatchObject({ code: '22012' });
    await expect(transaction(pool, (tx) => named(tx, 'cannot-run', cannotRun))).rejects.toMatchObject({
      code: '22012',
    });
    for (let n = 0; n < 2; n++) {
      await transaction(pool, async (tx) => {
        expect((await named(tx, 'runs', 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
        expect((await named(tx, 'behind', 'SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
      });
    }
  });

  test('prepares it anew where it could not be prepared', async () => {
    const work = () => transaction(pool, (tx) => named(tx, 'of-tokens', 'SELECT * FROM tokens'));
    await expect(work()).rejects.toMatchObject({ code: '42P01' });
    await db.query('CREATE TABLE tokens (name text)');
    expect((await work()).rows).toEqual([]);
  });

  test('is not sent where a value cannot be written, and the pool goes on', async () => {
    const work = transaction(pool, (tx) =>
      together(tx, () => [insert(tx, 'penny'), tx.query('SELECT $1::json', [{ big: 1n }])]),
    );
    await expect(work).rejects.toThrow('cannot be sent');
    expect(await coins()).toEqual(['crown', 'ducat']);
    await transaction(pool, (tx) => tx.query('SELECT 1'));
  });
});
