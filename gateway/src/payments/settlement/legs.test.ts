import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { auditFindings } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf, type Party } from '../../ledger/ledger.ts';
import { type Leg, postLegs } from './legs.ts';

const { db } = await testDatabase();
const asset = 'usdc-erc20';
const now = new Date('2026-03-01T12:00:00Z');

let owner: string;
let business: Party;
let suspense: Party;
let payable: Party;
beforeEach(() => {
  owner = newId();
  business = { kind: 'business', owner };
  suspense = { kind: 'suspense', owner };
  payable = { kind: 'payable', owner };
});

const outside: Party = { kind: 'external', owner: 'simulated' };

const leg = (debit: Party, credit: Party, units: bigint, ifShort?: Leg['ifShort']): Leg => ({
  ...{ id: newId(), mode: 'test', asset, units, debit, credit, cause: 'test', causeId: null },
  ...(ifShort && { ifShort }),
});

const post = (legs: Leg[], credited: string[] = []) =>
  transaction(db, (tx) =>
    postLegs(tx, legs, [{ owner, mode: 'test', assets: credited, causeId: null }], now),
  );

const balance = async (kind: 'business' | 'suspense' | 'payable' | 'receivable'): Promise<bigint> =>
  (await balancesOf(db, { kind, owner, mode: 'test' }))[0]?.available ?? 0n;

test('a leg spends what the legs before it brought, however often the money moves on', async () => {
  await post([
    leg(outside, suspense, 10n),
    leg(suspense, business, 10n),
    leg(business, payable, 10n),
    leg(payable, suspense, 10n),
    leg(suspense, business, 10n),
  ]);
  expect([await balance('suspense'), await balance('payable'), await balance('business')]).toEqual([
    0n,
    0n,
    10n,
  ]);
  expect(await auditFindings(db)).toEqual([]);
});

test('what the business lacks it owes, and what it gets afterwards pays that first', async () => {
  await seedBalance(db, { kind: 'business', owner, mode: 'test', asset, units: 4n });
  await post([leg(business, suspense, 10n, 'owed'), leg(suspense, business, 9n)], [asset]);
  expect([await balance('business'), await balance('receivable'), await balance('suspense')]).toEqual([
    3n,
    0n,
    1n,
  ]);
  await post([leg(business, suspense, 5n, 'owed')]);
  expect([await balance('business'), await balance('receivable')]).toEqual([0n, -2n]);
});

test('a leg that may be refused refuses all of them, and nothing is posted', async () => {
  await seedBalance(db, { kind: 'business', owner, mode: 'test', asset, units: 4n });
  const legs = [leg(outside, suspense, 10n), leg(business, payable, 5n, 'refused')];
  await expect(post(legs)).rejects.toThrow('Insufficient');
  expect([await balance('business'), await balance('suspense')]).toEqual([4n, 0n]);
});

test('any other leg that its account cannot pay is a fault', async () => {
  await expect(post([leg(suspense, business, 1n)])).rejects.toThrow('(test): insufficient');
});
