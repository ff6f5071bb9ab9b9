import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedUser, testClock } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { createAssets } from '../../money/assets.ts';
import { makeReusableAddress, reusableAddresses } from '../../payouts/arrivals/addresses.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { Arrival } from '../../rails/owner.ts';
import type { Rail } from '../../rails/rail.ts';
import { walletErrors } from '../errors.ts';
import { noticesOf } from '../notices.ts';
import { type SendRequest, send } from '../sends/send.ts';
import type { UserId } from '../users.ts';
import { bookDeposit, deposits, depositsById } from './deposits.ts';

const { db } = await testDatabase();
const clock = testClock();
const assets = createAssets();
const asset = assets.get('usdt-bep20');
let jane: UserId;
let arrival: Arrival;
beforeEach(async () => {
  jane = await seedUser(db, `Jane-${newId().slice(-8)}`);
  arrival = {
    rail: 'evm:56',
    key: `56:${newId()}:0`,
    ledgerId: newId(clock.now()),
    owner: { kind: 'user', id: jane },
    transaction: '0xabc',
    asset: asset.code,
    units: 100n,
    sender: '0xdef',
    state: 'final',
    at: clock.now(),
  };
});
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const book = (state: Arrival['state']) =>
  transaction(db, (tx) => bookDeposit(tx, { ...arrival, state }, { mode: 'live', now: clock.now() }));
const balance = async (kind: 'user' | 'receivable' = 'user') =>
  (await balancesOf(db, { kind, owner: jane, mode: 'live' }))[0]?.available ?? 0n;
const told = async () =>
  (await noticesOf(db, jane, 'live', { before: null, limit: 9 })).map(({ kind }) => kind).reverse();

describe('what comes to an address of a user', () => {
  test('is theirs in full, booked once, and they are told once', async () => {
    await Promise.all([book('final'), book('final')]);
    await book('final');
    expect(await balance()).toBe(100n);
    expect(await told()).toEqual(['deposit']);
    expect((await depositsById(db, [arrival.ledgerId])).get(arrival.ledgerId)).toMatchObject({
      transaction: '0xabc',
      sender: '0xdef',
      state: 'final',
    });
  });

  test('is theirs while the wallet is frozen, too', async () => {
    await db.query(`UPDATE users SET frozen_at = now(), frozen_why = 'asked' WHERE id = $1`, [jane]);
    await book('final');
    expect(await balance()).toBe(100n);
  });

  test('and is taken back by its chain is owed as far as it was spent, until more comes', async () => {
    const { rows } = await db.query<{ username: string }>('SELECT username FROM users WHERE id = $1', [
      await seedUser(db, `Max-${newId().slice(-8)}`),
    ]);
    const request: SendRequest = {
      ...{ mode: 'live', to: rows[0]?.username ?? '', asset, units: 70n, note: null },
      formKey: newId(),
    };
    await book('final');
    await transaction(db, (tx) => send(tx, clock, jane, request));
    await book('gone');
    await book('gone');
    expect([await balance(), await balance('receivable')]).toEqual([0n, -70n]);
    const again = transaction(db, (tx) => send(tx, clock, jane, { ...request, units: 1n, formKey: newId() }));
    await expect(again).rejects.toMatchObject({ row: walletErrors.balance_short });
    await book('final');
    expect([await balance(), await balance('receivable')]).toEqual([30n, 0n]);
    expect(await told()).toEqual(['deposit', 'sent', 'deposit_gone', 'deposit']);
  });

  test('and was never final books nothing when it is gone', async () => {
    await book('gone');
    expect(await balance()).toBe(0n);
    expect(await told()).toEqual([]);
  });
});

describe('an address of a user', () => {
  let isRead: boolean;
  beforeEach(() => {
    isRead = true;
  });
  const rail: Pick<Rail, 'openFor' | 'reusable'> = {
    openFor: async (_, __, code) => code === asset.code,
    reusable: async (_, { kind, id }) =>
      isRead
        ? [{ rail: 'evm:56', asset: asset.code, network: 'BNB', address: `0x${kind}${id}`, memo: null }]
        : [],
  };
  const deps = { assets, rail, now: clock.now };
  const make = (code = asset.code, mode: 'test' | 'live' = 'live') =>
    transaction(db, (tx) =>
      makeReusableAddress(tx, deps, { kind: deposits, id: jane, mode }, assets.get(code)),
    );
  const list = (mode: 'test' | 'live') => reusableAddresses(db, deps, { kind: deposits, id: jane, mode });

  test('is made on demand, the same for every call, and listed once it was asked for', async () => {
    expect(await list('live')).toEqual([]);
    const made = await Promise.all([make(), make(), make()]);
    expect(new Set(made.map(({ address }) => address))).toEqual(new Set([`0xuser${jane}`]));
    expect(await list('live')).toEqual([
      { asset: asset.code, network: 'BNB', address: `0xuser${jane}`, memo: null, is_readable: true },
    ]);
    expect(await list('test')).toEqual([]);
  });

  test('of test mode is on no network', async () => {
    const made = await make('usdc-base', 'test');
    expect(made.address).toBe(`test_${jane}`);
    expect(await list('test')).toEqual([made]);
  });

  test('is not given out for an asset that nobody reads, or not yet', async () => {
    await expect(make('usdc-base')).rejects.toMatchObject({ row: payoutErrors.asset_unsupported });
    isRead = false;
    await expect(make()).rejects.toMatchObject({ row: walletErrors.network_unread });
    expect(await list('live')).toEqual([]);
  });
});
