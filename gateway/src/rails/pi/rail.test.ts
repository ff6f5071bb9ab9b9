import { Account, MuxedAccount } from '@stellar/stellar-sdk';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { coin, openPi, openReading } from '../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../test/support/database.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { addPlatformMemo, memoOfOwner } from './memos/memos.ts';
import { createPiRail } from './rail.ts';

const { db } = await testDatabase();
const world = await openPi();
const { horizon, clock, pi } = world;
const rail = createPiRail({ pi, assets: createAssets(), now: clock.now });

beforeEach(() => emptyTables(db, 'leases, pi_accounts, pi_records'));
afterAll(() => horizon.stop());

const inPi = (id: string) => ({ id, currency: 'PI' });

async function open(count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId() as string);
  await transaction(db, (tx) => rail.open(tx, ids.map(inPi)));
  return ids;
}

test('many payments get memos of their own in one go, and none is ever given twice', async () => {
  const ids = (await Promise.all(Array.from({ length: 8 }, () => open(250)))).flat();
  await transaction(db, async (tx) => {
    await rail.open(tx, [inPi(newId())]);
    throw new Error('rolled back');
  }).catch(() => {});
  await open(250);
  const { rows } = await db.query<{ memo: string }>('SELECT DISTINCT memo FROM pi_memos');
  expect(rows).toHaveLength(2_250);
  const [first, second] = await Promise.all([memoOfOwner(db, ids[0]!), memoOfOwner(db, ids[1]!)]);
  expect(first).not.toBe(second);
});

test('a payment of another currency gets no memo, and costs no statement', async () => {
  const [usdt, pis] = [newId(), newId()];
  await transaction(db, (tx) => rail.open(tx, [{ id: usdt, currency: 'USDT' }, inPi(pis)]));
  expect(await memoOfOwner(db, usdt)).toBeNull();
  expect(await memoOfOwner(db, pis)).not.toBeNull();
  const none = { query: () => Promise.reject(new Error('asked')) } as unknown as Tx;
  await rail.open(none, [{ id: newId(), currency: 'USDT' }]);
});

test('nothing is shown before what is sent would be read', async () => {
  const [id] = await open();
  expect(await rail.destinations(db, id!)).toEqual([]);
  const reading = await openReading(db, world);
  expect(await rail.destinations(db, id!)).toEqual([
    {
      rail: 'pi',
      asset: 'pi',
      network: 'Pi Network',
      address: pi.account,
      memo: await memoOfOwner(db, id!),
      pi: { sdkUrl: null, sandbox: false, walletUrl: null },
    },
  ]);
  await reading.reader.disconnect();
});

test('nothing is shown while the account is not there', async () => {
  const [id] = await open();
  const bare = await openPi({ hasAccount: false });
  const reading = await openReading(db, bare);
  const other = createPiRail({
    pi: bare.pi,
    assets: createAssets(),
    now: clock.now,
  });
  expect(await other.destinations(db, id!)).toEqual([]);
  bare.horizon.fund(bare.pi.account, coin);
  await reading.tick();
  expect(await other.destinations(db, id!)).toHaveLength(1);
  await reading.reader.disconnect();
  await bare.horizon.stop();
});

test('an account that could not be read for minutes is said to be, and not one of a moment', async () => {
  const [id] = await open();
  const reading = await openReading(db, world);
  const unreadable = async () => (await rail.destinations(db, id!)).map(({ isUnreadable }) => isUnreadable);
  horizon.faults.add({ kind: 'error', times: 1_000 });
  await reading.tick();
  expect(await unreadable()).toEqual([undefined]);
  clock.advance(181);
  await reading.tick();
  expect(await unreadable()).toEqual([true]);
  horizon.faults.clear();
  clock.advance(60);
  await reading.tick();
  expect(await unreadable()).toEqual([undefined]);
  await reading.reader.disconnect();
});

test('a payment that is older than the rail has no destination on it', async () => {
  const reading = await openReading(db, world);
  expect(await rail.destinations(db, newId())).toEqual([]);
  await reading.reader.disconnect();
});

test('a payment is found by its memo, by its part of the account, and by what the platform calls it', async () => {
  const [id] = await open();
  const memo = (await memoOfOwner(db, id!))!;
  const identifier = 'aB3dE6gH9jK2mN5pQ8sT1vW4';
  await transaction(db, (tx) => addPlatformMemo(tx, { paymentId: id!, identifier: identifier }, clock.now()));
  const { rows } = await db.query<{ number: bigint }>('SELECT number FROM pi_memos WHERE memo = $1', [memo]);
  const part = new MuxedAccount(new Account(pi.account, '0'), `${rows[0]!.number}`).accountId();
  for (const text of [memo, memo.toLowerCase(), ` ${memo} `, part, part.toLowerCase(), identifier]) {
    expect(await rail.paymentOfAddress(db, text)).toBe(id);
  }
  const elsewhere = new MuxedAccount(new Account(world.payer.publicKey(), '0'), `${rows[0]!.number}`);
  for (const text of [
    pi.account,
    elsewhere.accountId(),
    identifier.toLowerCase(),
    '0000000000',
    '',
    '\u0000',
  ]) {
    expect(await rail.paymentOfAddress(db, text)).toBeNull();
  }
});

test('what the platform calls one payment is never another’s', async () => {
  const [one, other] = await open(2);
  const add = (id: string) =>
    transaction(db, (tx) => addPlatformMemo(tx, { paymentId: id, identifier: 'identifier-1' }, clock.now()));
  await add(one!);
  await add(one!);
  await expect(add(other!)).rejects.toThrow("another payment's");
  const memo = (await memoOfOwner(db, one!))!;
  await expect(
    transaction(db, (tx) => addPlatformMemo(tx, { paymentId: one!, identifier: memo }, clock.now())),
  ).rejects.toThrow();
});

test('the memo of a reusable owner is one, however often it is asked for, and what bears it is reported with the owner', async () => {
  const reading = await openReading(db, world);
  const owner = { kind: 'top-up', id: newId() } as const;
  const ask = () => transaction(db, (tx) => rail.openFor(tx, owner, 'pi'));
  expect(await Promise.all([ask(), ask()])).toEqual([true, true]);
  expect(await transaction(db, (tx) => rail.openFor(tx, owner, 'usdc-base'))).toBe(false);
  const [place, ...others] = await rail.reusable(db, owner);
  expect(others).toEqual([]);
  expect(place).toMatchObject({ asset: 'pi', address: pi.account, memo: expect.stringMatching(/^\w{10}$/) });
  expect(await rail.paymentOfAddress(db, place!.memo!)).toBeNull();
  horizon.pay({ from: world.payer, to: pi.account, amount: 3n * coin, memo: place!.memo! });
  await reading.tick();
  expect(reading.arrived).toMatchObject([{ owner, rail: 'pi', units: 3n * coin, state: 'final' }]);
  expect([reading.transfers, reading.unmatched]).toEqual([[], []]);
  await reading.reader.disconnect();
});
