import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { testClock } from '../../test/support/fixtures.ts';
import { notedScope } from '../../test/traces/noted-scope.ts';
import type { Tx } from '../kit/db/db.ts';
import { scopeHere, within } from '../kit/trace.ts';
import { createReporter, type Outbox, postponeSql, type Report, type Reporter } from './report.ts';

const { db } = await testDatabase();
await db.query(`CREATE TABLE things (id int PRIMARY KEY, kind text NOT NULL, is_reported boolean NOT NULL DEFAULT false,
  report_faults int NOT NULL DEFAULT 0, report_after timestamptz)`);
await db.query('CREATE TABLE effects (at int GENERATED ALWAYS AS IDENTITY, id int)');

type Thing = { id: number };
const due = 'NOT is_reported AND (report_after IS NULL OR report_after <= $1)';
/** Things by their kind, which may share a batch unless its name says otherwise, each reported as a sweep that has its number for units. */
const things: Outbox<Thing> = {
  fields: { rail: 'things' },
  async due(reader, now, atMost) {
    const { rows } = await reader.query<{ kind: string }>(
      `SELECT kind FROM things WHERE ${due} GROUP BY kind ORDER BY min(id) LIMIT $2`,
      [now, atMost],
    );
    return rows.map(({ kind: name }) => ({ name, isShared: !name.startsWith('alone') }));
  },
  async lock(tx, kinds, now, atMost) {
    const { rows } = await tx.query<Thing>(
      `SELECT id FROM things WHERE ${due} AND kind = ANY ($2) ORDER BY id LIMIT $3 FOR UPDATE`,
      [now, kinds, atMost],
    );
    return rows;
  },
  reportsOf: async (_tx, { id }) => [
    {
      kind: 'sweep',
      sweep: {
        ...{ rail: 'things', ledgerId: '', paymentId: '', transaction: '', asset: 'pi', state: 'final' },
        to: 'treasury',
        units: BigInt(id),
      },
    },
  ],
  async noteReported(tx, rows) {
    await tx.query('UPDATE things SET is_reported = true WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  },
  async postpone(reader, { id }, now) {
    await reader.query(`UPDATE things SET ${postponeSql('$2')} WHERE id = $1`, [id, now]);
  },
};

const clock = testClock(new Date());
const logged: string[] = [];
let refused: number[] = [];
let batches: number[][] = [];
let onTake: (() => void) | null = null;

const idOf = (report: Report): number => (report.kind === 'sweep' ? Number(report.sweep.units) : 0);

async function take(tx: Tx, batch: readonly Report[]): Promise<void> {
  const ids = batch.map(idOf);
  batches.push(ids);
  onTake?.();
  for (const id of ids) {
    await tx.query('INSERT INTO effects (id) VALUES ($1)', [id]);
    if (refused.includes(id)) throw new Error(`not ${id}`);
  }
}

const reporter = (): Reporter =>
  createReporter({
    db,
    outbox: things,
    take,
    now: clock.now,
    log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) }),
  });

async function happen(kind: string, ...ids: number[]): Promise<void> {
  await db.query('INSERT INTO things (id, kind) SELECT unnest($1::int[]), $2', [ids, kind]);
}
const effects = async () =>
  (await db.query<Thing>('SELECT id FROM effects ORDER BY at')).rows.map(({ id }) => id);

beforeEach(async () => {
  await emptyTables(db, 'things, effects');
  [refused, batches, onTake] = [[], [], null];
  logged.length = 0;
});

test('what is due is handed over in order and in batches, and once', async () => {
  await happen('a', 1, 3, 5);
  await happen('b', 2, 4);
  await happen('alone', 6, 8);
  await happen('alone too', 7);
  const { reportDue } = reporter();
  expect(await reportDue()).toBe(false);
  await reportDue();
  expect(batches.toSorted()).toEqual([[1, 2, 3, 4, 5], [6, 8], [7]]);
  expect((await effects()).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('what cannot be taken is postponed alone, and its neighbours are taken', async () => {
  await happen('a', 1, 2, 3);
  await happen('b', 4);
  refused = [2];
  await reporter().reportDue();
  expect((await effects()).toSorted()).toEqual([1, 3, 4]);
  expect(logged).toEqual(['a report could not be taken; it is made again later']);
  clock.advance(1);
  refused = [];
  await reporter().reportDue();
  expect(await effects()).toContain(2);
});

test('what cannot be taken is tried less and less often, up to every five minutes', async () => {
  await happen('a', 1);
  refused = [1];
  const { reportDue } = reporter();
  const tries: number[] = [];
  for (let second = 0; second <= 1_200; second++) {
    const before = batches.length;
    await reportDue();
    if (batches.length > before) tries.push(second);
    clock.advance(1);
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111]);
});

test('a batch that met other writes is neither postponed nor split', async () => {
  await happen('a', 1, 2);
  const { reportDue } = reporter();
  onTake = () => {
    throw Object.assign(new Error('lock timeout'), { code: '55P03' });
  };
  expect(await reportDue()).toBe(true);
  onTake = null;
  expect(await reportDue()).toBe(false);
  expect(await effects()).toEqual([1, 2]);
});

test('a database that cannot be reached is no fault of what is reported', async () => {
  await happen('a', 1, 2);
  onTake = () => {
    throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  };
  await expect(reporter().reportDue()).rejects.toThrow('gone');
  onTake = null;
  await reporter().reportDue();
  expect(await effects()).toEqual([1, 2]);
});

test('a group with hundreds is handed over in several batches, and holds up no other', async () => {
  await happen('alone many', ...Array.from({ length: 120 }, (_, n) => n + 1));
  await happen('alone', 1_000);
  const { reportDue } = reporter();
  expect(await reportDue()).toBe(true);
  expect(batches.map((ids) => ids.length).toSorted((a, b) => a - b)).toEqual([1, 50]);
  while (await reportDue());
  expect(await effects()).toHaveLength(121);
});

test('processes that report at once report everything once', async () => {
  await happen('a', ...Array.from({ length: 30 }, (_, n) => n + 1));
  await happen('b', ...Array.from({ length: 30 }, (_, n) => n + 101));
  await Promise.all([reporter().reportDue(), reporter().reportDue(), reporter().reportGroup('b')]);
  expect(new Set(await effects()).size).toBe(60);
  expect(await effects()).toHaveLength(60);
});

test('a batch has a span where reports are traced, and what follows from it is below that', async () => {
  const scope = notedScope();
  const { reportDue, reportGroup } = reporter();
  await within(scope, () => reportGroup('a'));
  onTake = () => scopeHere()?.begin('event').end();
  await happen('a', 1, 2);
  await within(scope, reportDue);
  await happen('b', 3);
  refused = [3];
  await within(scope, reportDue);
  expect(scope.noted).toEqual([
    ...['report > event, well', 'report, well'],
    ...['report > event, well', 'report, by a fault'],
  ]);
});
