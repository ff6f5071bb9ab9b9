import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { carrySeal } from '../src/kit/db/carried-seal.ts';
import { type Database, openDatabase } from '../src/kit/db/db.ts';
import { readMigrations } from '../src/kit/db/migrate.ts';
import { type Aged, openAged } from '../src/kit/db/standby/aged.ts';
import { servingConnection } from '../src/kit/postgres/embedded-postgres.ts';
import { roles } from '../src/kit/postgres/postgres-access.ts';
import { postgresBinaries } from '../src/kit/postgres/postgres-binaries.ts';
import { migrateFor } from '../src/operations/database.ts';
import { checkStandby } from '../src/operations/doctor/checks/standby.ts';
import { startSystemServer } from './older-postgres/server.ts';
import { atFileEnd } from './suite/endings.ts';
import { openConsole } from './support/console.ts';
import { databaseUrl, testMasterKey, testSeal } from './support/database.ts';
import { examinedWith, findingsOf } from './support/doctor.ts';
import { startLossyProxy } from './support/lossy-proxy.ts';
import { startApp } from './support/running.ts';

// One primary and one standby that follows it, for the whole file. The tests go on where the one before ended: the last
// promotes the standby.

const { directory } = await postgresBinaries('', false);
const server = await startSystemServer(directory, { fsync: 'off' });
atFileEnd(() => server.stop());
const opened = (connection: pg.PoolConfig): Database => {
  const db = openDatabase({ ...connection, connectionTimeoutMillis: 600_000, query_timeout: 600_000 });
  carrySeal(db, testSeal);
  atFileEnd(() => db.end());
  return db;
};
const db = opened(server.connection);
await migrateFor(db, await readMigrations(join(import.meta.dirname, '../src')), roles.app);
const standby = await server.standby();
atFileEnd(() => standby.stop());
const onStandby = opened(standby.connection);
const served = servingConnection(server.connection);
const serving = { db: opened(served), connection: served };

const urlOf = (connection: pg.PoolConfig) =>
  databaseUrl({ ...connection, user: roles.app, database: 'florin' });
const settings = {
  DATABASE_URL: urlOf(server.connection),
  MASTER_KEY: testMasterKey.toString('hex'),
  READ_DATABASE_URL: urlOf(standby.connection),
  READ_DATABASE_MAX_AGE: '600',
};
const app = await startApp({
  database: { db, connection: server.connection, serving },
  env: settings,
});
const people = await openConsole(app);
const owner = await people.as('owner');

const pause = (): Promise<unknown> => onStandby.query('SELECT pg_wal_replay_pause()');
const resume = (): Promise<unknown> => onStandby.query('SELECT pg_wal_replay_resume()');
/** How many reads were served in a place. */
const count = async (place: string): Promise<number> =>
  Number(
    new RegExp(`^florin_aged_reads_total\\{place="${place}".*\\} (\\d+)`, 'm').exec(await app.metrics())?.[1],
  );
const wish = (reference: string) => ({
  body: { amount: 5, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
});
const create = (reference: string) => app.api('PUT', '/payment/create', wish(reference));
const list = async () => {
  const { body, headers } = await owner<{
    items: { payment_reference: string }[];
    as_of: string | null;
  }>('GET', `${people.test}/payments`);
  const references = body.data.items.map(({ payment_reference }) => payment_reference);
  return { references, asOf: body.data.as_of, header: headers.get('as-of') };
};

describe('with a standby', () => {
  afterAll(resume);

  test('lists come from it, and say as of when they are', async () => {
    expect(await create('FIRST')).toMatchObject({ status: 200 });
    await expect
      .poll(async () => [(await list()).references, (await count('standby')) > 0], { timeout: 120_000 })
      .toEqual([['FIRST'], true]);
    const { header } = await list();
    const ageMs = Date.now() - Date.parse(header ?? '');
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThan(60_000);
  });

  test('they are as old as it is, and so are files; their age is shown where it is more than a moment', async () => {
    await pause();
    await create('SECOND');
    await expect.poll(async () => (await list()).asOf, { timeout: 60_000 }).not.toBeNull();
    const { references, asOf, header } = await list();
    expect(references).toEqual(['FIRST']);
    expect(asOf).toBe(header);
    const file = await owner('GET', `${people.test}/export/payments?format=csv`);
    expect(file.text).toContain('FIRST');
    expect(file.text).not.toContain('SECOND');
    expect(Date.parse(file.headers.get('as-of') ?? '')).toBeLessThan(Date.now() - 2_000);
  });

  test('what merchants call, and a payment itself, is read from the primary', async () => {
    const called = await app.api('GET', '/payments');
    expect(called.text).toContain('SECOND');
    expect(called.headers.get('as-of')).toBeNull();
    const { body, headers } = await owner('GET', `${people.test}/payments/SECOND`);
    expect(body.data).toMatchObject({ payment_reference: 'SECOND' });
    expect(headers.get('as-of')).toBeNull();
  });

  test('whoever changes something sees it in the list at once', async () => {
    const made = await owner('POST', `${people.test}/payments`, wish('THIRD'));
    expect(made.status).toBe(200);
    expect(await list()).toMatchObject({ references: ['THIRD', 'SECOND', 'FIRST'], asOf: null });
    expect(await count('changed')).toBeGreaterThan(0);
  });
});

describe('a read that may be old', () => {
  const never = async () => false;
  const follows = async (from: Database): Promise<boolean> =>
    (await from.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows')).rows[0]!.follows;
  const isFollowing = async (aged: Aged): Promise<boolean> => (await aged.read(never, follows)).found;

  function open(url: string, maxAgeSeconds = 600): Aged {
    const aged = openAged({ db, now: () => new Date() }, { url, maxAgeSeconds });
    onTestFinished(() => aged.close());
    return aged;
  }
  const endSleepers = async (): Promise<number | null> =>
    (
      await onStandby.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'",
      )
    ).rowCount;

  /** What the doctor finds, as the role that serves. */
  const doctor = async (): Promise<[finding: string, detail: string | null][]> =>
    await findingsOf(checkStandby, await examinedWith(settings, { db: serving.db }));

  /** Looks, after a heartbeat, which gateways write every five seconds. */
  async function look(aged: Aged): Promise<(string | null)[]> {
    await db.query('UPDATE gateway_processes SET seen_at = seen_at');
    await aged.look();
    return aged.states().map(({ fault }) => fault);
  }
  /** Looks until the standbys are so. */
  async function until(aged: Aged, ...faults: (string | null)[]): Promise<void> {
    await expect.poll(() => look(aged), { timeout: 120_000 }).toEqual(faults);
  }

  test('comes from the primary until the standby has shown that it follows it', async () => {
    const aged = open(urlOf(standby.connection));
    expect(await isFollowing(aged)).toBe(false);
    await aged.look();
    expect(aged.states()[0]?.fault).toBe('behind');
    await until(aged, null);
    expect(await isFollowing(aged)).toBe(true);
  });

  test('is refused every write by the server', async () => {
    const aged = open(urlOf(standby.connection));
    await until(aged, null);
    const { found } = await aged.read(never, async (from) => [
      (await from.query('SHOW default_transaction_read_only')).rows[0],
      await from.query("UPDATE gateway_processes SET host = ''").catch(({ code }) => code),
    ]);
    expect(found).toEqual([{ default_transaction_read_only: 'on' }, '25006']);
  });

  test('comes from the primary where the standby is too far behind, and from the standby when it has caught up', async () => {
    const aged = open(urlOf(standby.connection), 3);
    await until(aged, null);
    await pause();
    await until(aged, 'behind');
    expect(await isFollowing(aged)).toBe(false);
    await resume();
    // On a busy machine the seconds may pass between a look and a read.
    await expect
      .poll(async () => (await look(aged)) && (await isFollowing(aged)), { timeout: 120_000 })
      .toBe(true);
  });

  test('comes from the primary where a statement took too long there, and so do the next ones', async () => {
    const aged = open(urlOf(standby.connection));
    await until(aged, null);
    const slow = "DO $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$";
    const { found } = await aged.read(never, async (from) => {
      const isStandby = await follows(from);
      if (isStandby) await from.query(slow);
      return isStandby;
    });
    expect(found).toBe(false);
    expect(await isFollowing(aged)).toBe(false);
    expect(aged.states()[0]?.fault).toBe('slow');
    expect(aged.counts()).toMatchObject({ failed: 1, unfit: 1 });
  });

  test('comes from the primary where the standby breaks it off on the way, as when it is killed', async () => {
    const aged = open(urlOf(standby.connection));
    await until(aged, null);
    const { found } = await aged.read(never, async (from) => {
      const isStandby = await follows(from);
      const asked = from.query(`SELECT pg_sleep(${isStandby ? 600 : 0})`);
      asked.catch(() => {});
      if (isStandby) await expect.poll(endSleepers, { timeout: 120_000 }).toBe(1);
      await asked;
      return isStandby;
    });
    expect(found).toBe(false);
    expect(aged.counts().failed).toBe(1);
  });

  test('comes from the primary where the standby stands still, or is not there at all', async () => {
    const proxy = await startLossyProxy(standby.connection);
    onTestFinished(() => proxy.close());
    const url = urlOf(proxy.connection);
    const aged = open(url);
    await until(aged, null);
    expect(await isFollowing(aged)).toBe(true);
    proxy.standStill();
    await until(aged, 'away');
    expect(await isFollowing(aged)).toBe(false);
    const nowhere = open('postgres://florin_app@127.0.0.1:1/florin');
    await until(nowhere, 'away');
    expect(await isFollowing(nowhere)).toBe(false);
  });

  test('of two the first that is fit serves', async () => {
    const proxy = await startLossyProxy(standby.connection);
    onTestFinished(() => proxy.close());
    const aged = open(`postgres://florin_app@127.0.0.1:1,127.0.0.1:${proxy.connection.port}/florin`);
    await until(aged, 'away', null);
    expect(await isFollowing(aged)).toBe(true);
  });

  test('comes from the primary where the standby was promoted', async () => {
    const aged = open(urlOf(standby.connection));
    await until(aged, null);
    expect(await doctor()).toEqual([['ok', expect.stringContaining(' is 0 s behind')]]);
    await onStandby.query('SELECT pg_promote()');
    await until(aged, 'primary');
    expect(await isFollowing(aged)).toBe(false);
    expect(await doctor()).toMatchObject([['takes_writes', expect.anything()]]);
  });
});
