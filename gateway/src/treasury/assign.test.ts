import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { placeHold } from '../ledger/holds.ts';
import { balancesOf } from '../ledger/ledger.ts';
import { operatorOf } from '../ledger/places.ts';
import { assignMove, type MoveOwner } from './assign.ts';
import { treasuryErrors } from './errors.ts';
import { bookMove } from './moves.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const rail = 'evm:56';
const asset = 'usdc-bep20';
let owner: string;
beforeEach(() => {
  owner = newId(now);
});

/** Something of 70 units that left the treasury without an order. */
async function leave(): Promise<string> {
  const ledgerId = newId(now);
  const ends = { from: 'treasury', to: 'operator', sender: null, receiver: '0xsomebody' } as const;
  const what = { rail, ledgerId, transaction: `0x${ledgerId}`, asset, units: 70n } as const;
  await transaction(db, (tx) =>
    bookMove(tx, { ...what, ...ends, at: now, state: 'final' }, { mode: 'live', now }),
  );
  return ledgerId;
}
const assign = (id: string, owner: MoveOwner) =>
  transaction(db, (tx) => assignMove(tx, id, { owner, accountId: newId(now), reason: 'It was theirs' }, now));
const fill = (kind: 'business' | 'user') =>
  seedBalance(db, { kind, owner, mode: 'live', asset, units: 100n });
const hold = (kind: 'business' | 'user', units: bigint) => {
  const sides = { debit: { kind, owner }, credit: operatorOf(rail) };
  const transfer = { id: newId(now), mode: 'live', asset, units, ...sides } as const;
  return transaction(db, (tx) => placeHold(tx, { ...transfer, cause: 'test', causeId: null }, now));
};
const available = async (kind: 'business' | 'user' | 'receivable') =>
  (await balancesOf(db, { kind, owner, mode: 'live' }))[0]?.available ?? 0n;

test('what left is taken from the business whose it was, which owes what it no longer has', async () => {
  await fill('business');
  await assign(await leave(), { kind: 'business', id: owner });
  expect(await available('business')).toBe(30n);
  await assign(await leave(), { kind: 'business', id: owner });
  expect([await available('business'), await available('receivable')]).toEqual([0n, -40n]);
});

test('it is decided once', async () => {
  await fill('business');
  const id = await leave();
  await assign(id, { kind: 'business', id: owner });
  for (const other of [{ kind: 'operator' }, { kind: 'business', id: newId(now) }] as const)
    await expect(assign(id, other)).rejects.toMatchObject({ row: treasuryErrors.move_decided });
  expect(await available('business')).toBe(30n);
});

test('no more is taken from a user than they have free', async () => {
  await fill('user');
  await hold('user', 40n);
  const id = await leave();
  await expect(assign(id, { kind: 'user', id: owner })).rejects.toMatchObject({
    row: treasuryErrors.user_short,
  });
  expect(await available('user')).toBe(60n);
});
