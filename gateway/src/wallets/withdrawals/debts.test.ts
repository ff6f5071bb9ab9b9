import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints, seedBalance, seedUser, testClock } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf, postAll } from '../../ledger/ledger.ts';
import { createAssets } from '../../money/assets.ts';
import type { Sending } from '../../rails/rail.ts';
import { walletErrors } from '../errors.ts';
import type { UserId } from '../users.ts';
import { withdrawalPurpose } from './purpose.ts';
import { cancelWithdrawal, type WithdrawalDeps, withdraw } from './withdraw.ts';

const { db } = await testDatabase();
const clock = testClock();
const assets = createAssets();
const asset = assets.get('usdc-base');
const sending: Sending = {
  ...{ rail: 'evm:8453', mode: 'live', assets: [asset.code] },
  outside: { kind: 'external', owner: 'evm:8453:operator' },
  faultOf: () => null,
  ownOf: async () => new Set(),
  unavailable: async () => null,
  order: async () => {},
  cancel: async () => true,
};
const deps: WithdrawalDeps = {
  ...{ hints: noHints, assets, sendings: [sending], purposes: { withdrawal: withdrawalPurpose } },
  ...{ now: clock.now, faultOf: () => () => null, checks: false },
};

let jane: UserId;
beforeEach(async () => {
  jane = await seedUser(db, `Jane-${newId().slice(-8)}`);
  await seedBalance(db, { owner: jane, kind: 'user', mode: 'live', asset: asset.code, units: 100n });
});

const ask = (units: bigint) => {
  const request = {
    mode: 'live',
    asset,
    units,
    to: `0x${'ab'.repeat(20)}`,
    memo: null,
    formKey: newId(),
  } as const;
  return transaction(db, (tx) => withdraw(tx, deps, { userId: jane, proof: null }, request));
};
/** Money that is gone since, such as a deposit that a reorg took. */
async function owe(units: bigint): Promise<void> {
  const sides = {
    debit: { kind: 'receivable', owner: jane },
    credit: { kind: 'external', owner: 'evm:8453' },
  } as const;
  const debt = { id: newId(), mode: 'live', asset: asset.code, units, ...sides } as const;
  await transaction(db, (tx) => postAll(tx, [{ ...debt, cause: 'test', causeId: null }], clock.now()));
}
/** `available held`, and what is owed. */
async function standing(): Promise<string> {
  const of = async (kind: 'user' | 'receivable') =>
    (await balancesOf(db, { kind, owner: jane, mode: 'live' }))[0];
  const [user, receivable] = [await of('user'), await of('receivable')];
  return `${user?.available} ${user?.held}, owes ${-(receivable?.available ?? 0n)}`;
}

describe('what a user owes', () => {
  test('is paid before anything leaves, and only the rest can leave', async () => {
    await owe(80n);
    await expect(ask(30n)).rejects.toMatchObject({ row: walletErrors.balance_short });
    await ask(15n);
    expect(await standing()).toBe('5 15, owes 0');
  });

  test('is paid by a withdrawal that ends unsent', async () => {
    const { id } = await ask(90n);
    await owe(30n);
    expect(await standing()).toBe('10 90, owes 30');
    await transaction(db, (tx) => cancelWithdrawal(tx, deps, jane, id));
    expect(await standing()).toBe('70 0, owes 0');
  });
});
