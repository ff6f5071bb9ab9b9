import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../../test/support/database.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { type LossyProxy, startLossyProxy } from '../../../test/support/lossy-proxy.ts';
import { type Database, openDatabase, type Reader, type Tx } from '../db/db.ts';
import { kitErrors, type Refusal, refuse } from '../errors.ts';
import { type IdempotencyKey, readIdempotencyKey } from './idempotency.ts';
import { type KeyedItem, keyedBatch } from './keyed-batch.ts';

type Coin = KeyedItem & { name: string };

const { now } = testClock();
const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 5);
await db.query('CREATE TABLE coins (name text UNIQUE)');
afterAll(() => otherProcess.end());
beforeEach(async () => {
  await emptyTables(db, 'coins, idempotency_keys');
});

/** Writes coins; a name that is taken is refused, and `poison` makes the statement fail. */
async function writeCoins(tx: Tx, coins: Coin[]): Promise<(Refusal | null)[]> {
  const { rows } = await tx.query<{ name: string }>(
    `INSERT INTO coins SELECT name FROM unnest($1::text[]) AS t(name) WHERE 1 / (name <> 'poison')::int = 1
     ON CONFLICT DO NOTHING RETURNING name`,
    [coins.map(({ name }) => name)],
  );
  const written = new Set(rows.map(({ name }) => name));
  return coins.map(({ name }) => (written.delete(name) ? null : refuse(kitErrors.not_found)));
}

async function areWritten(reader: Reader, coins: Coin[]): Promise<boolean[]> {
  const { rows } = await reader.query<{ name: string }>('SELECT name FROM coins');
  const written = new Set(rows.map(({ name }) => name));
  return coins.map(({ name }) => written.has(name));
}

const writer = (pool: Database) =>
  keyedBatch<Coin>({ db: pool, now, write: writeCoins, wasWritten: areWritten });

const keyFor = (name: string, body = ''): IdempotencyKey =>
  readIdempotencyKey(name, 'shop test coin', Buffer.from(body))!;

const coin = (name: string, key: IdempotencyKey | null = null): Coin => ({
  name,
  key,
  response: `made ${name}`,
});

async function coins(): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM coins ORDER BY name');
  return rows.map(({ name }) => name);
}

test('every item of a batch gets its own answer', async () => {
  const write = writer(db);
  const answers = await Promise.all(['florin', 'ducat', 'thaler'].map((name) => write(coin(name))));
  expect(answers).toEqual(
    ['florin', 'ducat', 'thaler'].map((name) => ({ body: `made ${name}`, replayed: false })),
  );
  expect(await coins()).toEqual(['ducat', 'florin', 'thaler']);
});

test('the other items of the batch are written when one is refused', async () => {
  const write = writer(db);
  const results = await Promise.allSettled(['a', 'a', 'b'].map((name) => write(coin(name))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await coins()).toEqual(['a', 'b']);
});

test('the other items are written when one makes the statement fail', async () => {
  const write = writer(db);
  const results = await Promise.allSettled(['a', 'poison', 'b'].map((name) => write(coin(name))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await coins()).toEqual(['a', 'b']);
});

test('a write of one statement is made alone, and together with its key where there is one', async () => {
  const write = keyedBatch<Coin>({
    db,
    now,
    write: writeCoins,
    writesOnce: () => true,
    wasWritten: areWritten,
  });
  const made = (name: string, replayed = false) => ({ body: `made ${name}`, replayed });
  expect(await write(coin('florin'))).toEqual(made('florin'));
  expect(await write(coin('ducat', keyFor('k')))).toEqual(made('ducat'));
  expect(await write(coin('ducat', keyFor('k')))).toEqual(made('ducat', true));
  await expect(write(coin('florin'))).rejects.toThrow('Not found');
  expect(await coins()).toEqual(['ducat', 'florin']);
});

describe('requests with the same Idempotency-Key', () => {
  test('in one batch have one effect and one body, and all but one say so', async () => {
    const write = writer(db);
    const twins = Array.from({ length: 5 }, () => write(coin('florin', keyFor('twin'))));
    const answers = await Promise.all([...twins, write(coin('ducat', keyFor('other')))]);
    expect(answers.map(({ body }) => body)).toEqual([...Array(5).fill('made florin'), 'made ducat']);
    expect(answers.map(({ replayed }) => replayed)).toEqual([false, true, true, true, true, false]);
    expect(await coins()).toEqual(['ducat', 'florin']);
  });

  test('in two processes at once have one effect and one body', async () => {
    const [here, there] = [writer(db), writer(otherProcess)];
    for (let round = 0; round < 20; round++) {
      const name = `round ${round}`;
      // Each process would answer with another text.
      const [mine, yours] = await Promise.all([
        here(coin(name, keyFor(name))),
        there({ ...coin(name, keyFor(name)), response: `${name} from over there` }),
      ]);
      expect(mine.body).toBe(yours.body);
      expect([mine.replayed, yours.replayed].sort()).toEqual([false, true]);
    }
    expect(await coins()).toHaveLength(20);
  });

  test('later get the stored body, even when the write would be refused now', async () => {
    const write = writer(db);
    await write(coin('florin', keyFor('k')));
    expect(await write(coin('florin', keyFor('k')))).toEqual({ body: 'made florin', replayed: true });
  });

  test('with another body are refused, in the same batch and later', async () => {
    const write = writer(db);
    const mismatch = { reason: { row: kitErrors.idempotency_mismatch } };
    const [first, other] = await Promise.allSettled([
      write(coin('a', keyFor('k', 'one'))),
      write(coin('b', keyFor('k', 'two'))),
    ]);
    expect(first).toMatchObject({ value: { replayed: false } });
    expect(other).toMatchObject(mismatch);
    expect((await Promise.allSettled([write(coin('c', keyFor('k', 'three')))]))[0]).toMatchObject(mismatch);
    expect(await coins()).toEqual(['a']);
  });

  test('of which the first is refused are each judged anew', async () => {
    const write = writer(db);
    await write(coin('taken'));
    const key = keyFor('k');
    const refusals = await Promise.allSettled([write(coin('taken', key)), write(coin('taken', key))]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ reason: { row: kitErrors.not_found } });
    expect((await db.query('SELECT FROM idempotency_keys')).rowCount).toBe(0);
    await emptyTables(db, 'coins');
    expect(await write(coin('taken', key))).toEqual({ body: 'made taken', replayed: false });
  });
});

test('a key that another process does not release is in use, and the other items are written', async () => {
  const holder = await otherProcess.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO idempotency_keys VALUES ('shop test coin', 'held', '\\x00', NULL, now())`,
    );
    const impatient = openDatabase(connection, 2);
    impatient.on('connect', (client) => void client.query("SET lock_timeout = '20ms'"));
    const write = writer(impatient);
    const [held, free] = await Promise.allSettled([
      write(coin('a', keyFor('held'))),
      write(coin('b', keyFor('free'))),
    ]);
    await impatient.end();
    expect(held).toMatchObject({ reason: { row: kitErrors.idempotency_in_use } });
    expect(free).toMatchObject({ value: { body: 'made b', replayed: false } });
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

describe('a connection that breaks at COMMIT', () => {
  let proxy: LossyProxy;
  let pool: Database;
  beforeAll(async () => {
    proxy = await startLossyProxy(connection);
    pool = openDatabase(proxy.connection, 2);
  });
  afterAll(async () => {
    await pool.end();
    await proxy.close();
  });

  test('before its reply came has written: the rows are found and the answers are those of success', async () => {
    const write = writer(pool);
    proxy.loseNextCommit('reply');
    const answers = await Promise.all([write(coin('a', keyFor('k'))), write(coin('b'))]);
    expect(answers.map(({ body }) => body)).toEqual(['made a', 'made b']);
    expect(await coins()).toEqual(['a', 'b']);
    expect(await write(coin('a', keyFor('k')))).toEqual({ body: 'made a', replayed: true });
  });

  test('before it was sent has not: all are refused as unavailable, and can try again', async () => {
    const write = writer(pool);
    proxy.loseNextCommit('request');
    const results = await Promise.allSettled([write(coin('a', keyFor('k'))), write(coin('b'))]);
    for (const result of results) expect(result).toMatchObject({ reason: { row: kitErrors.unavailable } });
    expect(await coins()).toEqual([]);
    expect(await write(coin('a', keyFor('k')))).toEqual({ body: 'made a', replayed: false });
  });
});
