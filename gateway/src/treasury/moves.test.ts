import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { auditFindings } from '../../test/support/payment-fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { netByCause } from '../ledger/by-cause.ts';
import type { Move } from '../rails/move.ts';
import { bookMove } from './moves.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
let move: Move;
beforeEach(() => {
  const ends = { from: 'treasury', to: 'operator', sender: '0xtreasury', receiver: '0xsomebody' } as const;
  move = {
    ...{ rail: 'evm:56', ledgerId: newId(now), transaction: '0x1', asset: 'usdc-bep20', units: 70n },
    ...{ ...ends, at: now, state: 'final' },
  };
});

const book = (state: Move['state']) =>
  transaction(db, (tx) => bookMove(tx, { ...move, state }, { mode: 'live', now }));
/** What it left on each account of the outside, which holds what it is below zero. */
const net = async () =>
  (await netByCause(db, move.ledgerId)).map(({ owner, units }) => `${owner} ${units}`).sort();
const left = ['evm:56:operator -70', 'evm:56:treasury 70'];

test('what leaves the treasury is with the operator outside, booked once', async () => {
  await Promise.all([book('final'), book('final')]);
  await book('final');
  expect(await net()).toEqual(left);
  expect(await auditFindings(db)).toEqual([]);
});

test('what a reorg brings back is in the treasury again, until it leaves once more', async () => {
  await book('final');
  await book('gone');
  await book('gone');
  expect(await net()).toEqual([]);
  await book('final');
  await book('final');
  expect(await net()).toEqual(left);
});

test('what never was final books nothing when it is gone', async () => {
  await book('gone');
  expect(await net()).toEqual([]);
});
