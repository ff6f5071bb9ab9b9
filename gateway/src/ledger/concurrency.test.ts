import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { type Database, openDatabase, transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from './audit.ts';
import { endHold, placeHold } from './holds.ts';
import { balancesOf, postTransfers, type Transfer } from './ledger.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { db, connection } = await testDatabase(10);
const here = db;
const otherProcess = openDatabase(connection, 10);
afterAll(async () => {
  expect((await auditLedger(here)).findings).toEqual([]);
  await otherProcess.end();
});

async function account(units: bigint): Promise<string> {
  const owner = newId(now);
  await seedBalance(here, { kind: 'user', owner, mode: 'test', asset: 'pi', units });
  return owner;
}

const transfer = (from: string, to: string, units: bigint): Transfer => ({
  id: newId(now),
  mode: 'test',
  asset: 'pi',
  units,
  debit: { kind: 'user', owner: from },
  credit: { kind: 'user', owner: to },
  cause: 'test',
  causeId: null,
});

const post = (db: Database, ...transfers: Transfer[]) =>
  transaction(db, (tx) => postTransfers(tx, transfers, now));

async function available(owner: string): Promise<bigint> {
  const [balance] = await balancesOf(here, { kind: 'user', owner, mode: 'test' });
  return balance?.available ?? 0n;
}

test('a transfer that two processes post at once is posted once, and the other sees that it exists', async () => {
  for (let round = 0; round < 30; round++) {
    // All that the account has: nobody may be told that it is insufficient for what is there already.
    const [from, to] = [await account(10n), newId(now)];
    const twin = transfer(from, to, 10n);
    const outcomes = await Promise.all([post(here, twin), post(otherProcess, twin)]);
    expect(outcomes.flat().sort()).toEqual(['exists', 'posted']);
    expect([await available(from), await available(to)]).toEqual([0n, 10n]);
  }
});

test('a twin that commits while its other waits for the account is seen, not taken for a lack of money', async () => {
  const [from, to] = [await account(10n), await account(1n)];
  const twin = transfer(from, to, 10n);
  const posted = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const first = transaction(here, async (tx) => {
    const outcomes = await postTransfers(tx, [twin], now);
    posted.resolve();
    await commit.promise;
    return outcomes;
  });
  await posted.promise;
  const second = post(otherProcess, twin);
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await here.query(waiting)).rowCount).toBe(1);
  commit.resolve();
  expect([await first, await second]).toEqual([['posted'], ['exists']]);
});

test('transfers that cross between two accounts lose no update', async () => {
  const [one, other] = [await account(1_000n), await account(1_000n)];
  const crossing = Array.from({ length: 200 }, (_, n) => {
    const there = n % 2 === 0;
    const units = BigInt((n % 7) + 1);
    return { there, units, transfer: there ? transfer(one, other, units) : transfer(other, one, units) };
  });
  const outcomes = await Promise.all(
    crossing.map((each, n) => post(n % 3 === 0 ? here : otherProcess, each.transfer)),
  );
  expect(new Set(outcomes.flat())).toEqual(new Set(['posted']));
  const moved = crossing.reduce((sum, { there, units }) => sum + (there ? units : -units), 0n);
  expect([await available(one), await available(other)]).toEqual([1_000n - moved, 1_000n + moved]);
});

test('batches that lock the same accounts in every order all come through', async () => {
  const owners = await Promise.all(Array.from({ length: 6 }, () => account(1_000n)));
  // Every batch walks the ring from another account, one half of them backwards.
  const batches = Array.from({ length: 60 }, (_, n) =>
    Array.from({ length: 5 }, (_, k) => {
      const [from, to] = [owners[(n + k) % 6]!, owners[(n + k + 1) % 6]!];
      return n % 2 ? transfer(from, to, 1n) : transfer(to, from, 1n);
    }),
  );
  const outcomes = await Promise.all(batches.map((batch, n) => post(n % 3 ? here : otherProcess, ...batch)));
  expect(new Set(outcomes.flat())).toEqual(new Set(['posted']));
  const sums = await Promise.all(owners.map(available));
  expect(sums.reduce((sum, each) => sum + each, 0n)).toBe(6_000n);
});

test('of many who want the last units exactly as many get them as there are', async () => {
  const from = await account(20n);
  const to = newId(now);
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, n) => post(n % 2 ? here : otherProcess, transfer(from, to, 1n))),
  );
  const posted = outcomes.flat().filter((outcome) => outcome === 'posted');
  expect(posted).toHaveLength(20);
  expect([await available(from), await available(to)]).toEqual([0n, 20n]);
});

test('holds and transfers at once never spend a unit twice', async () => {
  const from = await account(30n);
  const to = newId(now);
  const hold = async (db: Database): Promise<string> => {
    const held = transfer(from, to, 1n);
    const placed = transaction(db, (tx) => placeHold(tx, held, now));
    return await placed.then(
      () => held.id,
      () => '',
    );
  };
  const [holds, outcomes] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, (_, n) => hold(n % 2 ? here : otherProcess))),
    Promise.all(
      Array.from({ length: 30 }, (_, n) => post(n % 2 ? otherProcess : here, transfer(from, to, 1n))),
    ),
  ]);
  const placed = holds.filter((id) => id !== '');
  expect(placed.length + outcomes.flat().filter((outcome) => outcome === 'posted').length).toBe(30);
  const end = (db: Database, id: string) => transaction(db, (tx) => endHold(tx, id, 'posted', now));
  const ended = await Promise.all(placed.flatMap((id) => [end(here, id), end(otherProcess, id)]));
  expect(ended.filter(Boolean)).toHaveLength(placed.length);
  expect([await available(from), await available(to)]).toEqual([0n, 30n]);
});
