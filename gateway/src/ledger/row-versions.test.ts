import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { type Database, openDatabase, type Tx, transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import type { StoredKind } from './accounts.ts';
import { auditLedger } from './audit.ts';
import { bulkTransfersTable, postInBulk } from './bulk.ts';
import { endHold, placeHold } from './holds.ts';
import { balancesOf, type Party, postTransfers, type Transfer } from './ledger.ts';

// What a statement writes must build on the row version that it locked. Each test commits a change of an account
// while a statement that began before it waits for that account.

const now = new Date('2026-03-01T12:00:00Z');
const { db: here, connection } = await testDatabase(10);
const otherProcess = openDatabase(connection, 10);
afterAll(async () => {
  expect((await auditLedger(here)).findings).toEqual([]);
  await otherProcess.end();
});

const outside: Party = { kind: 'external', owner: 'test' };
const user = (): Party => ({ kind: 'user', owner: newId(now) });

async function account(units: bigint, kind: StoredKind = 'business'): Promise<Party & { kind: StoredKind }> {
  const party = { kind, owner: newId(now) };
  await seedBalance(here, { ...party, mode: 'test', asset: 'pi', units });
  return party;
}

const transfer = (debit: Party, credit: Party, units: bigint): Transfer => ({
  ...{ id: newId(now), mode: 'test', asset: 'pi', units, debit, credit, cause: 'test', causeId: null },
});

const post = (db: Database, ...transfers: Transfer[]) =>
  transaction(db, (tx) => postTransfers(tx, transfers, now));

/** `balance held`. */
async function balanceOf({ owner, kind }: Party): Promise<string> {
  const [balance] = await balancesOf(here, { owner, kind: kind as StoredKind, mode: 'test' });
  return balance ? `${balance.available + balance.held} ${balance.held}` : 'none';
}

/** Begins `late` while `early` is done and not committed, commits when `late` waits, and answers what `late` did. */
async function overtaken<T>(early: (tx: Tx) => Promise<unknown>, late: () => Promise<T>): Promise<T> {
  const done = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const first = transaction(otherProcess, async (tx) => {
    await early(tx);
    done.resolve();
    await commit.promise;
  });
  await done.promise;
  const second = late();
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await here.query(waiting)).rowCount).toBe(1);
  commit.resolve();
  await first;
  return await second;
}

test('a funding that waits while a credit commits is paid out of that credit', async () => {
  const [business, customer] = [await account(10n), user()];
  await post(here, transfer(business, customer, 1n));
  const outcomes = await overtaken(
    (tx) => postTransfers(tx, [transfer(outside, business, 100n)], now),
    () => post(here, transfer(business, customer, 50n)),
  );
  expect([outcomes, await balanceOf(business), await balanceOf(customer)]).toEqual([
    ['posted'],
    '59 0',
    '51 0',
  ]);
});

test('its neighbours in the batch are judged each by itself, by what there is after the credit', async () => {
  const [business, other, customer] = [await account(10n), await account(10n), user()];
  await post(here, transfer(business, customer, 1n));
  const outcomes = await overtaken(
    (tx) => postTransfers(tx, [transfer(outside, business, 100n), transfer(other, outside, 4n)], now),
    () =>
      post(
        here,
        transfer(business, customer, 50n),
        transfer(other, customer, 7n),
        transfer(other, customer, 6n),
        transfer(business, customer, 60n),
        transfer(business, customer, 59n),
      ),
  );
  expect(outcomes).toEqual(['posted', 'insufficient', 'posted', 'insufficient', 'posted']);
  expect([await balanceOf(business), await balanceOf(other), await balanceOf(customer)]).toEqual([
    '0 0',
    '0 0',
    '116 0',
  ]);
});

test('a funding that waits while a hold is given back is paid out of what was held', async () => {
  const [business, customer] = [await account(100n), user()];
  const held = transfer(business, outside, 90n);
  await transaction(here, (tx) => placeHold(tx, held, now));
  await post(here, transfer(business, customer, 1n));
  const outcomes = await overtaken(
    (tx) => endHold(tx, held.id, 'voided', now),
    () => post(here, transfer(business, customer, 50n)),
  );
  expect([outcomes, await balanceOf(business)]).toEqual([['posted'], '49 0']);
});

test('a funding that waits while a hold is placed leaves the hold its units', async () => {
  const [business, customer] = [await account(100n), user()];
  await post(here, transfer(business, customer, 1n));
  const held = transfer(business, outside, 60n);
  const outcomes = await overtaken(
    (tx) => placeHold(tx, held, now),
    () => post(here, transfer(business, customer, 50n), transfer(business, customer, 39n)),
  );
  expect([outcomes, await balanceOf(business)]).toEqual([['insufficient', 'posted'], '60 60']);
  await transaction(here, (tx) => endHold(tx, held.id, 'posted', now));
  expect(await balanceOf(business)).toBe('0 0');
});

test('a hold that waits while a debit commits is judged by what is left', async () => {
  const business = await account(100n);
  const place = (units: bigint) =>
    transaction(here, (tx) => placeHold(tx, transfer(business, outside, units), now)).then(
      () => 'held',
      (error: Error) => error.message,
    );
  const debit = (units: bigint) => (tx: Tx) => postTransfers(tx, [transfer(business, outside, units)], now);
  expect(await overtaken(debit(60n), () => place(50n))).toBe('Insufficient business balance');
  expect(await overtaken(debit(10n), () => place(30n))).toBe('held');
  expect(await balanceOf(business)).toBe('30 30');
});

test('two holds that end at once free what each had set aside', async () => {
  const business = await account(100n);
  const [one, other] = [transfer(business, outside, 60n), transfer(business, outside, 40n)];
  await transaction(here, (tx) => placeHold(tx, one, now));
  await transaction(here, (tx) => placeHold(tx, other, now));
  await overtaken(
    (tx) => endHold(tx, one.id, 'posted', now),
    () => transaction(here, (tx) => endHold(tx, other.id, 'posted', now)),
  );
  expect(await balanceOf(business)).toBe('0 0');
});

test('what is paid back while more comes to be owed is taken off the whole debt', async () => {
  const owner = newId(now);
  const [owed, business] = [{ kind: 'receivable', owner } as const, { kind: 'business', owner } as const];
  await post(here, transfer(owed, outside, 10n), transfer(outside, business, 50n));
  const outcomes = await overtaken(
    (tx) => postTransfers(tx, [transfer(owed, outside, 90n)], now),
    () => post(here, transfer(business, owed, 50n)),
  );
  expect([outcomes, await balanceOf(owed), await balanceOf(business)]).toEqual([['posted'], '-50 0', '0 0']);
});

test('transfers in bulk that wait while a credit commits build on it', async () => {
  const [business, customer] = [await account(10n), user()];
  const bulk = (tx: Tx) =>
    tx
      .query(bulkTransfersTable)
      .then(() =>
        tx.query(
          `INSERT INTO bulk_transfers
             VALUES ($1, $2, 'test', 'pi', 50, 'business', $3, 'user', $4, 'test', NULL)`,
          [newId(now), now, business.owner, customer.owner],
        ),
      )
      .then(() => postInBulk(tx));
  await post(here, transfer(business, customer, 1n));
  const posted = await overtaken(
    (tx) => postTransfers(tx, [transfer(outside, business, 100n)], now),
    () => transaction(here, bulk),
  );
  expect([posted, await balanceOf(business), await balanceOf(customer)]).toEqual([1, '59 0', '51 0']);
});
