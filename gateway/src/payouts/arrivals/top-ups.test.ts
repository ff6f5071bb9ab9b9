import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { balancesOf, postAll, type Transfer } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';
import type { Arrival } from '../../rails/owner.ts';
import { bookTopUp } from './top-ups.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
let arrival: Arrival;
beforeEach(() => {
  arrival = {
    rail: 'evm:56',
    key: `56:${newId()}:0`,
    ledgerId: newId(now),
    owner: { kind: 'top-up', id: newId() },
    transaction: '0xabc',
    asset: 'usdt-bep20',
    units: 100n,
    sender: null,
    state: 'final',
    at: now,
  };
});

const book = (state: Arrival['state']) =>
  transaction(db, (tx) => bookTopUp(tx, { ...arrival, state }, { mode: 'live', now }));
const balance = async (kind: 'business' | 'receivable') =>
  (await balancesOf(db, { kind, owner: arrival.owner.id, mode: 'live' }))[0]?.available ?? 0n;
const post = (transfer: Pick<Transfer, 'debit' | 'credit' | 'units'>) =>
  transaction(db, (tx) =>
    postAll(
      tx,
      [{ ...transfer, id: newId(now), mode: 'live', asset: arrival.asset, cause: 'test', causeId: null }],
      now,
    ),
  );

test('what comes is the business balance in full, and booked once', async () => {
  await Promise.all([book('final'), book('final')]);
  await book('final');
  expect(await balance('business')).toBe(100n);
  expect((await auditLedger(db)).findings).toEqual([]);
});

test('what its chain takes back is taken back, and what was spent of it is owed until more comes', async () => {
  const business = { kind: 'business', owner: arrival.owner.id } as const;
  await book('final');
  await post({ debit: business, credit: addressesOf('evm:56'), units: 70n });
  await book('gone');
  await book('gone');
  expect([await balance('business'), await balance('receivable')]).toEqual([0n, -70n]);
  await book('final');
  expect([await balance('business'), await balance('receivable')]).toEqual([30n, 0n]);
  expect((await auditLedger(db)).findings).toEqual([]);
});

test('what never was final books nothing when it is gone', async () => {
  await book('gone');
  expect(await balance('business')).toBe(0n);
});
