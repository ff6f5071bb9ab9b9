import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { kitErrors, refuse } from '../errors.ts';
import {
  afterCommit,
  asRefusal,
  isUnavailable,
  isUniqueViolation,
  openDatabase,
  type Reader,
  singleStatement,
  type Tx,
  together,
  transaction,
} from './db.ts';

const { db, connection, serving } = await testDatabase();
await db.query('CREATE TABLE coins (name text CONSTRAINT coins_name PRIMARY KEY, worth int NOT NULL)');
await db.query("INSERT INTO coins VALUES ('florin', 1), ('ducat', 1)");

async function namesOfCoins(): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM coins ORDER BY name');
  return rows.map(({ name }) => name);
}

test('whole numbers of any size come as bigints and lose no digit', async () => {
  const { rows } = await db.query(
    'SELECT 9007199254740993::int8 AS big, 123456789012345678901234567890::numeric(78,0) AS huge, 7::int4 AS small',
  );
  expect(rows).toEqual([{ big: 9007199254740993n, huge: 123456789012345678901234567890n, small: 7 }]);
});

test('connections that have prepared a statement go on after a migration has added a column', async () => {
  await db.query('CREATE TABLE notes (name text)');
  const readNotes = (reader: Reader) => reader.query({ name: 'read-notes', text: 'SELECT * FROM notes' });
  const four = Array.from({ length: 4 });
  const { promise, resolve } = Promise.withResolvers<void>();
  let prepared = 0;
  const prepare = async (tx: Tx) => {
    await readNotes(tx);
    if (++prepared === four.length) resolve();
    await promise;
  };
  await Promise.all(four.map(() => transaction(db, prepare)));
  await db.query("ALTER TABLE notes ADD COLUMN worth int; INSERT INTO notes VALUES ('new', 1)");
  const answers = await Promise.all([
    ...four.map(() => transaction(db, readNotes)),
    ...four.map(() => singleStatement(db, readNotes)),
    ...four.map(() => readNotes(db)),
  ]);
  for (const { rows } of answers) expect(rows).toEqual([{ name: 'new', worth: 1 }]);
});

describe('statements that are sent together', () => {
  test('are all sent before the first is answered, and run in their order', async () => {
    const steps: string[] = [];
    await transaction(db, async (tx) => {
      const insert = async (name: string) => {
        const { rows } = await tx.query('INSERT INTO coins SELECT $1, count(*) FROM coins RETURNING worth', [
          name,
        ]);
        steps.push(`${name} after ${rows[0]?.worth}`);
      };
      const { connection } = tx as unknown as { connection: { execute(...args: unknown[]): void } };
      const execute = connection.execute.bind(connection);
      connection.execute = (...args) => {
        steps.push('sent');
        execute(...args);
      };
      await together(tx, () => [insert('groat'), insert('thaler')]);
      connection.execute = execute;
    });
    const [, , , groat, thaler] = steps;
    // The first is BEGIN.
    expect(steps.slice(0, 3)).toEqual(['sent', 'sent', 'sent']);
    expect(thaler).toBe(`thaler after ${Number(groat?.replace('groat after ', '')) + 1}`);
  });

  test('have no effect when one fails, and the others end before its fault is thrown', async () => {
    const ended: string[] = [];
    const work = transaction(db, async (tx) => {
      const note = (name: string) => () => void ended.push(name);
      await together(tx, () => [
        tx.query("INSERT INTO coins VALUES ('before', 1)").then(note('before')),
        tx.query("INSERT INTO coins VALUES ('florin', 1)"),
        tx.query("INSERT INTO coins VALUES ('behind', 1)").catch(note('behind')),
      ]).finally(note('thrown'));
    });
    await expect(work).rejects.toThrow('coins_name');
    expect(ended).toEqual(['before', 'behind', 'thrown']);
    const names = await namesOfCoins();
    expect(names).not.toContain('before');
    expect(names).not.toContain('behind');
    expect(await transaction(db, async (tx) => (await tx.query('SELECT')).command)).toBe('SELECT');
  });
});

describe('a transaction', () => {
  test('keeps its writes when its work returns', async () => {
    const insert = "INSERT INTO coins VALUES ('kept', 1)";
    expect(await transaction(db, async (tx) => (await tx.query(insert)).rowCount)).toBe(1);
    expect(await namesOfCoins()).toContain('kept');
  });

  test('keeps nothing when its work throws, and throws the same error', async () => {
    const refusal = refuse(kitErrors.not_found);
    const work = transaction(db, async (tx) => {
      await tx.query("INSERT INTO coins VALUES ('lost', 1)");
      throw refusal;
    });
    await expect(work).rejects.toBe(refusal);
    expect(await namesOfCoins()).not.toContain('lost');
  });

  test('whose work ignored an error of the database is not reported as committed', async () => {
    const work = transaction(db, async (tx) => {
      await tx.query("INSERT INTO coins VALUES ('swallowed', 1)");
      await tx.query("INSERT INTO coins VALUES ('florin', 1)").catch(() => {});
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await namesOfCoins()).not.toContain('swallowed');
  });

  test('runs its hooks after the commit, and never after a rollback', async () => {
    const heard: string[] = [];
    await transaction(db, async (tx) => {
      afterCommit(tx, () => heard.push('first'));
      afterCommit(tx, () => heard.push('second'));
      expect(heard).toEqual([]);
    });
    const failing = transaction(db, async (tx) => {
      afterCommit(tx, () => heard.push('never'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(heard).toEqual(['first', 'second']);
  });

  test('that ended in a deadlock runs again, and its hooks run once', async () => {
    const heard: string[] = [];
    let tries = 0;
    const meeting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const oneIsDone = Promise.withResolvers<void>();
    const raise = (first: string, second: string, mine: number) =>
      transaction(db, async (tx) => {
        tries += 1;
        afterCommit(tx, () => heard.push(first));
        afterCommit(tx, oneIsDone.resolve);
        if (tries > 2) await oneIsDone.promise;
        await tx.query('UPDATE coins SET worth = worth + 1 WHERE name = $1', [first]);
        meeting[mine]!.resolve();
        await meeting[1 - mine]!.promise;
        await tx.query('UPDATE coins SET worth = worth + 1 WHERE name = $1', [second]);
      });
    await Promise.all([raise('florin', 'ducat', 0), raise('ducat', 'florin', 1)]);
    expect(tries).toBe(3);
    expect(heard.sort()).toEqual(['ducat', 'florin']);
    const { rows } = await db.query("SELECT worth FROM coins WHERE name IN ('florin', 'ducat')");
    expect(rows).toEqual([{ worth: 3 }, { worth: 3 }]);
  });

  test('whose connection broke leaves a pool that works', async () => {
    const pool = openDatabase(connection, 1);
    try {
      const broken = transaction(pool, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
      await expect(broken).rejects.toSatisfy(isUnavailable);
      const { rows } = await transaction(pool, (tx) => tx.query('SELECT 1 AS one'));
      expect(rows).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });
});

describe('a single statement', () => {
  test('is committed when its work returns, and then runs its hooks', async () => {
    const heard: string[] = [];
    await singleStatement(db, async (tx) => {
      afterCommit(tx, () => heard.push('committed'));
      await tx.query("INSERT INTO coins VALUES ('alone', 1)");
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(['committed']);
    expect(await namesOfCoins()).toContain('alone');
  });

  test('is the only one: a second would not be in its transaction', async () => {
    const work = singleStatement(db, async (tx) => {
      await tx.query('SELECT');
      await tx.query("INSERT INTO coins VALUES ('second', 1)");
    });
    await expect(work).rejects.toThrow('A second statement');
    expect(await namesOfCoins()).not.toContain('second');
  });

  test('that fails runs no hook', async () => {
    const heard: string[] = [];
    const work = singleStatement(db, async (tx) => {
      afterCommit(tx, () => heard.push('committed'));
      await tx.query("INSERT INTO coins VALUES ('florin', 1)");
    });
    await expect(work).rejects.toThrow('coins_name');
    expect(heard).toEqual([]);
  });
});

describe('an error', () => {
  test('of a unique constraint is known by its name', async () => {
    const error: unknown = await db.query("INSERT INTO coins VALUES ('florin', 1)").catch((caught) => caught);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'coins_name')).toBe(true);
    expect(isUniqueViolation(error, 'coins_other')).toBe(false);
    expect(isUniqueViolation(new Error('23505'))).toBe(false);
    expect(isUniqueViolation(null)).toBe(false);
  });

  test('of a server that is not there is temporary', async () => {
    const nowhere = openDatabase({ ...connection, host: '/nowhere' }, 1);
    const error: unknown = await nowhere.query('SELECT 1').catch((caught) => caught);
    await nowhere.end();
    expect(isUnavailable(error)).toBe(true);
    expect(asRefusal(error)).toMatchObject({ row: kitErrors.unavailable });
  });

  test('of a server that has no connection left is temporary', async () => {
    const { database } = connection;
    await db.query(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
    // The limit does not hold for a superuser.
    const guest = new pg.Client(serving.connection);
    const error: unknown = await guest.connect().catch((caught) => caught);
    await db.query(`ALTER DATABASE ${database} CONNECTION LIMIT -1`);
    expect(isUnavailable(error)).toBe(true);
  });

  test.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
    ...['08006', '08P01', '25006', '25P03', '25P04', '53300', '55P03', '57P01', '57P02', '57P03', '57P05'],
  ])('with the code %s is temporary', (code) => {
    const error = Object.assign(new Error('of the driver'), { code });
    expect(isUnavailable(error)).toBe(true);
    expect(asRefusal(error)).toMatchObject({ row: kitErrors.unavailable });
  });

  // The work may be done again in another way, or the next one be done first.
  test.each(['40001', '40P01', '57014'])('with the code %s is temporary for a client alone', (code) => {
    const error = Object.assign(new Error('of the server'), { code });
    expect(isUnavailable(error)).toBe(false);
    expect(asRefusal(error)).toMatchObject({ row: kitErrors.unavailable });
  });

  test('of a statement is not temporary, and stays as it is', async () => {
    const error: unknown = await db.query('SELECT * FROM nothing').catch((caught) => caught);
    expect(isUnavailable(error)).toBe(false);
    expect(asRefusal(error)).toBe(error);
    expect(isUnavailable(refuse(kitErrors.unavailable))).toBe(false);
    expect(isUnavailable('ECONNREFUSED')).toBe(false);
  });
});
