import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { makeDataDir } from '../../../test/support/data-dir.ts';
import { expireLeases, testDatabase } from '../../../test/support/database.ts';
import { seedBalance, silentLog, testClock } from '../../../test/support/fixtures.ts';
import { commandActor, recordChange } from '../../identity/audit/audit-log.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createStampMetrics } from './metrics.ts';
import { createStamper, readHead, stampedReach } from './stamper.ts';
import { verifyChain } from './verify.ts';

const { db, serving } = await testDatabase();
const clock = testClock();
const deps = { db, headsFile: '', log: silentLog, now: clock.now };
const whole = { from: 1n, heads: [] };

async function post(units: bigint): Promise<void> {
  await seedBalance(db, { kind: 'user', owner: newId(), mode: 'test', asset: 'pi', units });
}
async function note(action: string): Promise<void> {
  const change = { action, subject: { kind: 'test', id: 'x' }, after: { b: 1, a: [action] } };
  await transaction(db, (tx) => recordChange(tx, commandActor, change, clock.now()));
}
const stampsOf = async () =>
  (await db.query<{ book: string; rows: number }>('SELECT book, rows FROM stamps ORDER BY number')).rows;

const stamper = createStamper(deps);
for (const units of [5n, 7n, 9n]) await post(units);
for (const action of ['made', 'changed', 'ended']) await note(action);
await stamper.run();
await post(11n);
await stamper.run();
await stamper.close();

test('rows are stamped once, by book, and the chain is whole', async () => {
  const stamps = await stampsOf();
  expect(stamps.filter(({ book }) => book === 'ledger').map(({ rows }) => rows)).toEqual([6, 2]);
  expect(stamps.filter(({ book }) => book === 'audit').map(({ rows }) => rows)).toEqual([3]);
  await createStamper(deps).run();
  expect(await stampsOf()).toEqual(stamps);
  const report = await verifyChain(db, whole);
  expect(report).toMatchObject({ fault: null, stamps: stamps.length });
  expect((await verifyChain(db, { from: 2n, heads: [] })).fault).toBeNull();
});

/** What is found after statements that the owner of the database runs, which are then undone. */
async function foundAfter(statements: string[]) {
  const tables = ['ledger_entries', 'ledger_transfers', 'audit_log', 'stamps'];
  for (const table of tables) {
    await db.query(`CREATE TABLE kept_${table} AS TABLE ${table}`);
    await db.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  }
  try {
    for (const sql of statements) expect((await db.query(sql)).rowCount, sql).toBeGreaterThan(0);
    const { fault, faults } = await verifyChain(db, whole);
    return { fault, faults };
  } finally {
    for (const table of tables) {
      await db.query(`TRUNCATE ${table}`);
      await db.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table} ORDER BY ${table === 'stamps' ? 'number' : '1'}`,
      );
      await db.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
      await db.query(`DROP TABLE kept_${table}`);
    }
  }
}

const swap = `UPDATE ledger_entries e SET account = o.account, units = o.units, transfer = o.transfer
  FROM ledger_entries o WHERE (e.seq, o.seq) IN ((2, 4), (4, 2))`;
const second = "(SELECT id FROM audit_log WHERE action = 'changed')";

test.each<[string, string[], RegExp, RegExp | null]>([
  ['an amount', ['UPDATE ledger_entries SET units = units + 1 WHERE seq = 4'], /changed/, /^entry 4 /],
  ["a transfer's cause", ["UPDATE ledger_transfers SET cause = 'x' WHERE units = 7"], /changed/, /^entry/],
  ['two entries that are swapped', [swap], /changed/, /^entry 2 /],
  ['an entry that is gone', ['DELETE FROM ledger_entries WHERE seq = 3'], /missing: 1/, /^before entry 4 /],
  ['a transfer that is gone', ['DELETE FROM ledger_transfers WHERE units = 9'], /changed/, /^entry/],
  [
    'an entry that was added',
    [
      'INSERT INTO ledger_entries (seq, account, transfer, units) OVERRIDING SYSTEM VALUE SELECT 3, account, transfer, units FROM ledger_entries WHERE seq = 5',
    ],
    /added/,
    /^entry/,
  ],
  [
    'an entry below all numbers',
    [
      'INSERT INTO ledger_entries (seq, account, transfer, units) OVERRIDING SYSTEM VALUE SELECT -3, account, transfer, units FROM ledger_entries WHERE seq = 5',
    ],
    /never given out/,
    /^entry -3 /,
  ],
  [
    'a row of the audit log',
    [`UPDATE audit_log SET after = '{}' WHERE id = ${second}`],
    /changed/,
    /^row 2 /,
  ],
  [
    'a row of the audit log that is gone',
    [`DELETE FROM audit_log WHERE id = ${second}`],
    /missing/,
    /^before row 3 /,
  ],
  [
    'whose an account is',
    ["UPDATE ledger_accounts SET owner = owner || 'x' WHERE id = 2"],
    /changed/,
    /^account 2/,
  ],
  [
    'a stamp',
    ["UPDATE stamps SET made_at = made_at - interval '1 s' WHERE number = 2"],
    /stamp was changed/,
    null,
  ],
  ['a stamp that is gone', ['DELETE FROM stamps WHERE number = 2'], /stamp is missing/, null],
])('the chain shows %s', async (_what, statements, found, row) => {
  const { fault } = await foundAfter(statements);
  expect(fault?.found).toMatch(found);
  if (row) expect(fault?.row).toMatch(row);
  else expect(fault?.row).toBeNull();
  await db.query("UPDATE ledger_accounts SET owner = rtrim(owner, 'x') WHERE id = 2");
  expect((await verifyChain(db, whole)).fault).toBeNull();
});

test('the chain shows every break, and what is wrong behind them', async () => {
  const { faults } = await foundAfter([
    "UPDATE stamps SET made_at = made_at - interval '1 s' WHERE number = 1",
    'DELETE FROM stamps WHERE number = 2',
    `UPDATE audit_log SET after = '{}' WHERE id = ${second}`,
    'UPDATE ledger_entries SET units = units + 1 WHERE seq = 8',
  ]);
  const { rows } = await db.query<{ number: bigint; book: string; to_seq: bigint }>(
    'SELECT number, book, to_seq FROM stamps ORDER BY number',
  );
  const stampOf = (book: string, seq: bigint) =>
    rows.find((stamp) => stamp.book === book && stamp.to_seq >= seq)?.number;
  expect(faults.map(({ stamp, found }) => [stamp, found])).toEqual([
    [1n, 'the stamp was changed: its hash is not that of its columns'],
    [2n, 'the stamp is missing'],
    [stampOf('audit', 2n), 'a row was changed'],
    [stampOf('ledger', 8n), 'a row was changed'],
  ]);
});

test.each([
  ['all of it made up', "(7, 1, 'ledger', 1, 8, 0, '', '', now(), '', '')"],
  [
    'another number and the hash before it',
    "(-7, 2, 'audit', 1, $1, 5, '\\x01', '\\x01', now(), '\\x02', '\\x03')",
  ],
])('a stamp that the role that serves adds is written by the database: %s', async (_what, values) => {
  await note('made');
  const to = (await db.query<{ seq: bigint }>('SELECT max(seq) AS seq FROM audit_log')).rows[0]!.seq;
  const columns = '(number, version, book, from_seq, to_seq, rows, digest, marks, made_at, previous, hash)';
  const given = values.includes('$1') ? [to] : [];
  // One for rows that are stamped already is refused, any other is right.
  await serving.db.query(`INSERT INTO stamps ${columns} VALUES ${values}`, given).catch(() => {});
  const stamper = createStamper({ ...deps, db: serving.db });
  await note('changed');
  await stamper.run();
  await stamper.run();
  await stamper.close();
  const { rows } = await db.query('SELECT max(seq) AS seq FROM audit_log');
  expect(await stampedReach(db)).toMatchObject({ audit: rows[0].seq });
  expect((await verifyChain(db, whole)).fault).toBeNull();
});

test.each([
  [
    'beyond all numbers',
    "INSERT INTO stamps (book, to_seq, made_at) VALUES ('ledger', 1000000000, now())",
    /has the number/,
  ],
  [
    'of rows that are stamped',
    "INSERT INTO stamps (book, to_seq, made_at) VALUES ('ledger', 1, now())",
    /ends between/,
  ],
  [
    'with the tables of somebody else',
    `CREATE TEMP TABLE audit_log AS TABLE public.audit_log; CREATE TEMP TABLE stamps AS TABLE public.stamps;
     INSERT INTO public.stamps (book, to_seq, made_at) VALUES ('audit', 1, now())`,
    /ends between/,
  ],
])('no stamp %s is added', async (_what, statement, refusal) => {
  await expect(serving.db.query(statement)).rejects.toThrow(refusal);
  expect((await verifyChain(db, whole)).fault).toBeNull();
});

test('a row that commits late is stamped, and nothing behind it before', async () => {
  const stamper = createStamper(deps);
  const late = await db.connect();
  await late.query('BEGIN');
  await late.query(
    `INSERT INTO ledger_entries (account, transfer, units) SELECT account, transfer, 0 FROM ledger_entries LIMIT 1`,
  );
  await post(13n);
  const before = await stampsOf();
  await stamper.run();
  await stamper.run();
  expect(await stampsOf()).toEqual(before);
  await late.query('COMMIT');
  late.release();
  await stamper.run();
  await stamper.run();
  const made = (await stampsOf()).slice(before.length);
  expect(made.filter(({ book }) => book === 'ledger')).toEqual([{ book: 'ledger', rows: 3 }]);
  expect((await verifyChain(db, whole)).fault).toBeNull();
  await stamper.close();
});

test('one stamper holds the lease, and another goes on when it has run out', async () => {
  const [one, other] = [createStamper(deps), createStamper(deps)];
  await post(1n);
  await one.run();
  await post(2n);
  const before = (await stampsOf()).length;
  await other.run();
  expect((await stampsOf()).length).toBe(before);
  await expireLeases(db);
  await other.run();
  expect((await stampsOf()).length).toBeGreaterThan(before);
  await post(3n);
  await one.run();
  expect((await verifyChain(db, whole)).fault).toBeNull();
  await other.close();
});

test('a published head tells a chain that was made anew', async () => {
  const headsFile = join(await makeDataDir(), 'heads');
  const stamper = createStamper({ ...deps, headsFile });
  await post(4n);
  await stamper.run();
  await stamper.close();
  const [, number, hash] = /^(\d+):([0-9a-f]{64}) /.exec(await readFile(headsFile, 'utf8'))!;
  const head = { number: BigInt(number!), hash: hash! };
  expect((await verifyChain(db, { from: 1n, heads: [head] })).fault).toBeNull();
  const other = { ...head, hash: '0'.repeat(64) };
  expect((await verifyChain(db, { from: 1n, heads: [other] })).fault).toMatchObject({ stamp: head.number });
});

test('metrics show the head and what has no stamp yet', async () => {
  const registry = new Registry();
  createStampMetrics(registry, db);
  const figure = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]);
  const stamper = createStamper(deps);
  await post(6n);
  expect(await figure('florin_unstamped_rows')).toBeGreaterThan(0);
  expect(await figure('florin_unstamped_age_seconds')).toBeGreaterThan(0);
  await stamper.run();
  await stamper.close();
  const head = (await readHead(db))!;
  expect(await figure('florin_unstamped_rows')).toBe(0);
  expect(await figure('florin_unstamped_age_seconds')).toBe(0);
  expect(await figure('florin_stamps_head')).toBe(Number(head.number));
  expect(await figure('florin_stamps_head_mark')).toBe(Number.parseInt(head.hash.slice(0, 12), 16));
});
