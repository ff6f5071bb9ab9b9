import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { expireLeases, testDatabase } from '../../../test/support/database.ts';
import { seedBalance, silentLog } from '../../../test/support/fixtures.ts';
import { systemClock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createStamper, readHead, stampedReach } from './stamper.ts';
import { verifyChain } from './verify.ts';

const { db, serving } = await testDatabase();
const deps = { db, headsFile: '', log: silentLog, now: systemClock };
const script = join(import.meta.dirname, '../../../test/stamps/stamper-process.ts');

async function post(count: number): Promise<void> {
  for (let made = 0; made < count; made++)
    await seedBalance(db, { kind: 'user', owner: newId(), mode: 'test', asset: 'pi', units: 1n });
}

/** One that works as the role that serves, as no other connection of this file does. */
function spawnStamper(): ChildProcess {
  const given = JSON.stringify(serving.connection);
  const child = spawn(process.execPath, [script, given], { stdio: ['ignore', 'ignore', 'inherit'] });
  atFileEnd(() => child.kill('SIGKILL'));
  return child;
}

/** Kills it, and waits until the database has noticed. */
async function kill(child: ChildProcess, released: () => Promise<unknown> = async () => {}): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  await released();
  const left = "SELECT FROM pg_stat_activity WHERE usename = 'florin_app' AND datname = current_database()";
  await expect.poll(async () => (await db.query(left)).rowCount).toBe(0);
}

const numbersOf = async () =>
  (await db.query<{ number: bigint }>('SELECT number FROM stamps ORDER BY number')).rows.map(
    ({ number }) => number,
  );

/** All rows are stamped once, and the chain is whole. */
async function expectWhole(): Promise<void> {
  const stamper = createStamper(deps);
  await stamper.run();
  await stamper.close();
  const { rows } = await db.query<{ ledger: bigint; accounts: bigint }>(
    `SELECT (SELECT max(seq) FROM ledger_entries)::bigint AS ledger, (SELECT max(id) FROM ledger_accounts)::bigint AS accounts`,
  );
  expect(await stampedReach(db)).toMatchObject(rows[0]!);
  const counted = await db.query(
    'SELECT (SELECT sum(rows) FROM stamps) = (SELECT count(*) FROM ledger_entries) + (SELECT count(*) FROM ledger_accounts) AS whole',
  );
  expect(counted.rows).toEqual([{ whole: true }]);
  expect((await verifyChain(db, { from: 1n, heads: [] })).fault).toBeNull();
}

/** How many wait for a lock on what is named here. */
async function waiting(condition: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM pg_locks WHERE NOT granted AND ${condition}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows[0]!.count;
}

test.each([
  [
    'before its stamp is written',
    'LOCK TABLE stamps IN SHARE ROW EXCLUSIVE MODE',
    "relation = 'stamps'::regclass",
  ],
  ['while its stamp is committed', 'SELECT pg_advisory_lock(4711)', "locktype = 'advisory' AND objid = 4711"],
])(
  'a stamper that is killed %s leaves the chain to the next one, when its lease has run out',
  async (_when, hold, wait) => {
    await db.query(`CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON stamps DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
    await post(3);
    const holder = await db.connect();
    await holder.query('BEGIN');
    await holder.query(hold);
    const child = spawnStamper();
    await expect.poll(() => waiting(wait)).toBe(1);
    await kill(child, async () => {
      await holder.query('ROLLBACK');
      await holder.query('SELECT pg_advisory_unlock_all()');
      holder.release();
    });
    await db.query('DROP TRIGGER wait_for_test ON stamps');
    await post(2);
    await db.query("UPDATE leases SET held_until = now() + interval '1 hour'");
    const before = await numbersOf();
    const next = createStamper(deps);
    await next.run();
    expect(await numbersOf()).toEqual(before);
    await expireLeases(db);
    await next.run();
    expect((await numbersOf()).length).toBeGreaterThan(before.length);
    await next.close();
    await expectWhole();
  },
);

test('a stamper whose lease ran out while it slept writes nothing beside its successor', async () => {
  const asleep = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  // It has its lease when it asks for a connection to write with.
  const connect = async () => {
    asleep.resolve();
    await woken.promise;
    return await db.connect();
  };
  const slowDb = { query: db.query.bind(db), connect } as unknown as Database;
  const slow = createStamper({ ...deps, db: slowDb });
  await post(2);
  const run = slow.run();
  await asleep.promise;
  await db.query("UPDATE leases SET held_until = now() + interval '1 hour'");
  const successor = createStamper(deps);
  const before = await numbersOf();
  await successor.run();
  expect(await numbersOf()).toEqual(before);
  await expireLeases(db);
  await successor.run();
  const after = await numbersOf();
  expect(after.length).toBeGreaterThan(before.length);
  await post(1);
  woken.resolve();
  await run;
  expect(await numbersOf()).toEqual(after);
  await successor.close();
  await expectWhole();
});

test('stampers that are killed again and again leave a whole chain', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const child = spawnStamper();
    const head = (await readHead(db))?.number ?? 0n;
    await post(3);
    await expireLeases(db);
    await expect.poll(async () => ((await readHead(db))?.number ?? 0n) > head).toBe(true);
    await post(turn);
    await kill(child);
  }
  await expireLeases(db);
  await expectWhole();
});
