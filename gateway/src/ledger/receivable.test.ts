import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { placeHold } from './holds.ts';
import { balancesOf, lockAccounts, postAll, type Transfer } from './ledger.ts';
import { coverShortage, repayReceivables } from './receivable.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const asset = 'usdc-base';
const outside = { kind: 'external', owner: 'simulated' } as const;
let owner: string;
beforeEach(async () => {
  owner = newId(now);
  await seedBalance(db, { kind: 'business', owner, mode: 'test', asset, units: 100n });
});

const out = (units: bigint, debit: Transfer['debit'] = { kind: 'business', owner }): Transfer => ({
  ...{ id: newId(now), mode: 'test', asset, units, debit },
  ...{ credit: outside, cause: 'test', causeId: null },
});
const hold = (units: bigint) => transaction(db, (tx) => placeHold(tx, out(units), now));
/** Takes these units from the business, which owes what it does not have. */
const take = (...units: bigint[]) =>
  transaction(db, async (tx) => {
    const kinds = ['business', 'receivable'] as const;
    await lockAccounts(
      tx,
      kinds.map((kind) => ({ kind, owner, mode: 'test' as const, asset })),
    );
    const transfers = units.map((each) => out(each));
    await postAll(tx, await coverShortage(tx, { owner, mode: 'test' }, transfers, now), now);
  });
const owe = (units: bigint) =>
  transaction(db, (tx) => postAll(tx, [out(units, { kind: 'receivable', owner })], now));
const repay = () =>
  transaction(db, (tx) =>
    repayReceivables(tx, [{ owner, mode: 'test', assets: [asset], causeId: null }], now),
  );

/** Of the business what it has free and what is held, and what it owes. */
async function state(): Promise<bigint[]> {
  const of = async (kind: 'business' | 'receivable') =>
    (await balancesOf(db, { kind, owner, mode: 'test' })).find((each) => each.asset === asset);
  const [business, receivable] = [await of('business'), await of('receivable')];
  return [business?.available ?? 0n, business?.held ?? 0n, receivable?.available ?? 0n];
}

describe('what is taken from a business', () => {
  test('comes out of its balance as far as that goes, and is owed from there on', async () => {
    await take(60n);
    expect(await state()).toEqual([40n, 0n, 0n]);
    await take(60n);
    expect(await state()).toEqual([0n, 0n, -20n]);
  });

  test('at once in parts takes each unit of the balance for one of them', async () => {
    await take(70n, 50n, 10n);
    expect(await state()).toEqual([0n, 0n, -30n]);
  });

  test('leaves what a payout has set aside', async () => {
    await hold(80n);
    await take(50n);
    expect(await state()).toEqual([0n, 80n, -30n]);
  });
});

describe('what a business owes', () => {
  test('is paid out of what it has, and no more than that is taken', async () => {
    await owe(30n);
    await repay();
    expect(await state()).toEqual([70n, 0n, 0n]);
    await repay();
    expect(await state()).toEqual([70n, 0n, 0n]);
  });

  test('is not paid out of what a payout has set aside', async () => {
    await hold(80n);
    await owe(30n);
    await repay();
    expect(await state()).toEqual([0n, 80n, -10n]);
  });
});
