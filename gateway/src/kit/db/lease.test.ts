import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { emptyTables, expireLeases, testDatabase } from '../../../test/support/database.ts';
import { transaction } from './db.ts';
import {
  forgetLeases,
  keepLease,
  type Lease,
  LeaseLost,
  leaveLease,
  takeLease,
  writeUnderLease,
} from './lease.ts';
import { oneRow } from './one-row.ts';

const { db } = await testDatabase();
await db.query('CREATE TABLE writes (at bigint GENERATED ALWAYS AS IDENTITY, name text, fence bigint)');
beforeEach(async () => {
  await emptyTables(db, 'leases, writes');
});

const terms = (holder = randomUUID(), name = 'a scan') => ({ name, holder, seconds: 60 });
const write = (lease: Lease) =>
  writeUnderLease(db, lease, (tx) =>
    tx.query('INSERT INTO writes (name, fence) VALUES ($1, $2)', [lease.name, lease.fence]),
  );
const fencesWritten = async () => {
  const { rows } = await db.query<{ fence: bigint }>('SELECT fence FROM writes ORDER BY at');
  return rows.map(({ fence }) => fence);
};

test('a lease is held by one, who may take it again as often as it likes', async () => {
  const mine = terms();
  const lease = await takeLease(db, mine);
  expect(await takeLease(db, terms())).toBeNull();
  expect(await takeLease(db, mine)).toEqual(lease);
  expect(await takeLease(db, terms(randomUUID(), 'another scan'))).not.toBeNull();
});

test('a lease that was left is free, and one that ran out is too', async () => {
  const [one, other] = [terms(), terms()];
  const first = (await takeLease(db, one))!;
  await leaveLease(db, other);
  expect(await takeLease(db, other)).toBeNull();
  await leaveLease(db, one);
  const second = (await takeLease(db, other))!;
  await expireLeases(db);
  const third = (await takeLease(db, one))!;
  expect(second.fence).toBeGreaterThan(first.fence);
  expect(third.fence).toBeGreaterThan(second.fence);
});

test('a write extends the lease, also one that ran out and that nobody took', async () => {
  const lease = (await takeLease(db, terms()))!;
  await expireLeases(db);
  await write(lease);
  expect(await takeLease(db, terms())).toBeNull();
});

test('a late write by the former holder is refused, and leaves nothing', async () => {
  const lease = (await takeLease(db, terms()))!;
  await expireLeases(db);
  await takeLease(db, terms());
  await expect(write(lease)).rejects.toThrow(LeaseLost);
  expect(await fencesWritten()).toEqual([]);
});

test('the next holder waits for a write that is under way', async () => {
  const lease = (await takeLease(db, terms()))!;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const writing = writeUnderLease(db, lease, async () => {
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  let isTaken = false;
  const taking = takeLease(db, terms()).then((taken) => {
    isTaken = true;
    return taken;
  });
  await expect
    .poll(async () =>
      oneRow(await db.query(`SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted`), 'locks'),
    )
    .toEqual({ waiting: 1 });
  expect(isTaken).toBe(false);
  over.resolve();
  await writing;
  expect(await taking).toBeNull();
});

test('fences go on after the database lost the table in a crash', async () => {
  const lease = (await takeLease(db, terms()))!;
  // What PostgreSQL does to an unlogged table.
  await emptyTables(db, 'leases');
  const next = (await takeLease(db, terms()))!;
  expect(next.fence).toBeGreaterThan(lease.fence);
  await expect(write(lease)).rejects.toThrow(LeaseLost);
});

test('a gateway that has the database to itself ends every lease', async () => {
  await takeLease(db, terms());
  await transaction(db, forgetLeases);
  expect(await takeLease(db, terms())).not.toBeNull();
});

/** A process, and the lease that it believes to hold. */
type Process = { holder: ReturnType<typeof randomUUID>; lease: Lease | null };

const steps = ['take', 'write', 'leave', 'crash', 'run out'] as const;
const acts = fc.array(
  fc.record({ who: fc.nat({ max: 2 }), step: fc.constantFrom(...steps), isBesideNext: fc.boolean() }),
  { minLength: 5, maxLength: 30 },
);

test('whatever processes do, each write is by the newest holder, and no former one writes', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (schedule) => {
      await emptyTables(db, 'leases, writes');
      const processes: Process[] = [0, 1, 2].map(() => ({ holder: randomUUID(), lease: null }));
      let newest = 0n;
      const act = async ({ who, step }: (typeof schedule)[number]): Promise<void> => {
        const process = processes[who]!;
        const { holder, lease } = process;
        if (step === 'take') {
          process.lease = await takeLease(db, terms(holder));
          if (process.lease && process.lease.fence > newest) newest = process.lease.fence;
        }
        if (step === 'leave') await leaveLease(db, { name: 'a scan', holder });
        if (step === 'run out') await expireLeases(db);
        // Another process starts in its place, and what the dead one had sent still arrives.
        if (step === 'crash') processes[who] = { holder: randomUUID(), lease: null };
        const late = step === 'crash' || step === 'write';
        if (!late || !lease) return;
        const isNewest = lease.fence === newest;
        const isWritten = await write(lease).then(
          () => true,
          (error) => {
            if (!(error instanceof LeaseLost)) throw error;
            return false;
          },
        );
        if (isWritten) expect(isNewest).toBe(true);
      };
      let beside: Promise<void>[] = [];
      for (const each of schedule) {
        beside.push(act(each));
        if (each.isBesideNext) continue;
        await Promise.all(beside);
        beside = [];
      }
      await Promise.all(beside);
      const fences = await fencesWritten();
      expect(fences).toEqual(fences.toSorted((a, b) => Number(a - b)));
    }),
    { numRuns: 100 },
  );
});

test('a lease that is kept outlives its seconds by as long as its holder works', async () => {
  const short = { ...terms(), seconds: 0.4 };
  const lease = (await takeLease(db, short))!;
  const letGo = keepLease(db, lease);
  const { rows } = await db.query<{ until: Date }>('SELECT held_until AS until FROM leases');
  const until = async () =>
    oneRow(await db.query<{ until: Date }>('SELECT held_until AS until FROM leases'), 'lease').until;
  const first = rows[0]!.until;
  await expect.poll(until, { timeout: 60_000 }).not.toEqual(first);
  letGo();
  // Nobody extends it any more.
  await expect.poll(() => takeLease(db, terms()), { timeout: 60_000 }).not.toBeNull();
});

test('a lease that another one took is not kept from it', async () => {
  const short = { ...terms(), seconds: 0.4 };
  const letGo = keepLease(db, (await takeLease(db, short))!);
  await expireLeases(db);
  const other = terms();
  const theirs = await takeLease(db, other);
  await expect.poll(() => takeLease(db, other), { timeout: 60_000 }).toEqual(theirs);
  letGo();
  expect(await takeLease(db, short)).toBeNull();
});
