import { once } from 'node:events';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type LossyProxy, startLossyProxy } from '../../../test/support/lossy-proxy.ts';
import { kitErrors } from '../errors.ts';
import {
  asRefusal,
  type Database,
  isUnavailable,
  liftTimeLimits,
  openDatabase,
  together,
  transaction,
} from './db.ts';

const { db, connection } = await testDatabase();
await db.query('CREATE TABLE coins (name text)');

describe('a connection on which nothing is heard any more', () => {
  let proxy: LossyProxy;
  let pool: Database;
  beforeAll(async () => {
    proxy = await startLossyProxy(connection);
    pool = openDatabase({ ...proxy.connection, query_timeout: 400 }, 1);
    return async () => {
      await pool.end();
      await proxy.close();
    };
  });
  const ask = () => pool.query('SELECT 1 AS one');
  /** Asks until there is an answer: on a busy machine one may take longer than it is waited for here. */
  const answered = () => vi.waitFor(ask, 120_000);

  test.each([
    { what: 'a statement', work: ask },
    { what: 'a transaction', work: () => transaction(pool, (tx) => tx.query('SELECT 1 AS one')) },
    {
      what: 'statements that are sent together',
      work: () => transaction(pool, (tx) => together(tx, () => [tx.query('SELECT'), tx.query('SELECT')])),
    },
  ])('is given up by $what, and the next has another one', async ({ work }) => {
    await answered();
    proxy.cutSilently();
    await expect(work()).rejects.toSatisfy(isUnavailable);
    expect(await answered()).toMatchObject({ rows: [{ one: 1 }] });
    await expect.poll(proxy.open).toBe(1);
  });

  test('is given up in the middle of a transaction, which is not asked to roll back', async () => {
    await answered();
    const cut = transaction(pool, async (tx) => {
      proxy.cutSilently();
      await tx.query('SELECT');
    });
    await expect(cut).rejects.toThrow('Query read timeout');
    await expect.poll(proxy.open).toBe(0);
    expect(proxy.lost()).toContain('SELECT');
    expect(proxy.lost()).not.toContain('ROLLBACK');
  });

  test('is closed when it was idle for too long, though the server never closes its side', async () => {
    const idle = openDatabase({ ...proxy.connection, idleTimeoutMillis: 100 }, 1);
    const removed = once(idle, 'remove');
    await vi.waitFor(() => idle.query('SELECT'), 120_000);
    proxy.cutSilently();
    await removed;
    await idle.end();
  });

  test('does not keep a pool from ending', async () => {
    const ending = openDatabase(proxy.connection, 1);
    await vi.waitFor(() => ending.query('SELECT'), 120_000);
    proxy.cutSilently();
    await ending.end();
  });

  test('is waited for where a transaction has lifted the limits, and by it alone', async () => {
    const waits = "SELECT pg_sleep(0.6), current_setting('statement_timeout') AS ms";
    const lifted = () =>
      transaction(pool, async (tx) => {
        await liftTimeLimits(tx);
        return await tx.query(waits);
      });
    const long = await vi.waitFor(lifted, 120_000);
    expect(long.rows).toMatchObject([{ ms: '0' }]);
    await expect(pool.query(waits)).rejects.toThrow('Query read timeout');
  });

  test('is kept alive by default, and waited for longer than the server takes to end a statement', async () => {
    const { options } = openDatabase({ database: connection.database });
    expect(options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
    expect(Number(options.query_timeout)).toBeGreaterThan(Number(options.statement_timeout));
  });
});

describe('a server that follows another one since a failover', () => {
  test('makes a write temporarily impossible, and loses the connection that was asked', async () => {
    const pool = openDatabase(connection, 1);
    const setting = `DATABASE ${connection.database} SET default_transaction_read_only`;
    const write = () => transaction(pool, (tx) => tx.query("INSERT INTO coins VALUES ('failover')"));
    try {
      await db.query(`ALTER ${setting} = on`);
      const refused: unknown = await write().catch((caught) => caught);
      await db.query(`ALTER ${setting} = off`);
      expect(refused).toMatchObject({ code: '25006' });
      expect(asRefusal(refused)).toMatchObject({ row: kitErrors.unavailable });
      // What was connected then stays as it was.
      await write();
      expect((await db.query('SELECT name FROM coins')).rows).toEqual([{ name: 'failover' }]);
    } finally {
      await pool.end();
    }
  });
});
