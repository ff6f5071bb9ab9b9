import { beforeEach, describe, expect, test } from 'vitest';
import { seedTeam } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { endedOrWaiting, openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { lockAccounts, postAll } from '../../ledger/ledger.ts';
import { changePayoutSettings } from '../rules/settings.ts';
import { rejectPayout } from './approve.ts';
import { cancelPayout, failPayout } from './cancel.ts';
import { orderPayouts } from './order.ts';
import { takeSendReports } from './reports.ts';

const { db } = await testDatabase();
const asset = 'usdc-base';
let shop: Shop;
const of = (kind: 'business' | 'receivable') =>
  ({ kind, owner: shop.owner.integrationId, mode: 'test', asset }) as const;

beforeEach(async () => {
  shop = await openShop(db);
  // The order of ids is that of locks: a receivable may come first.
  await write(shop, (tx) => lockAccounts(tx, [of('receivable')]));
  await seedBalance(db, { ...of('business'), units: 100n });
});

/** A payout of 90 of 100, and then a debt of 30. */
async function payoutOfDebtor(approvals: number): Promise<string> {
  const { owner, deps, clock, assets } = shop;
  await seedTeam(shop, 2);
  const settings = { enabled: true, approvals, approveAbove: {}, knownAddressesOnly: false };
  return await write(shop, async (tx) => {
    await changePayoutSettings(tx, owner, settings, clock.now());
    const terms = {
      ...({ owner, mode: 'test', purpose: 'merchant_payout' } as const),
      ...{ isCharged: true, ownTime: clock.now() },
      debit: { kind: 'business', owner: owner.integrationId },
      requester: { accountId: null, name: 'a key', limits: null },
    } as const;
    const to = { asset: assets.get(asset), units: 90n, to: `0x${'ab'.repeat(20)}`, memo: null };
    const [payout] = await orderPayouts(tx, deps, terms, [to]);
    const sides = { debit: of('receivable'), credit: { kind: 'external', owner: 'simulated' } } as const;
    const debt = { id: newId(), mode: 'test', asset, units: 30n, ...sides, cause: 'test' } as const;
    await postAll(tx, [{ ...debt, causeId: null }], clock.now());
    return payout!.id;
  });
}
const balances = async () => {
  const { rows } = await db.query<{ text: string }>(
    `SELECT kind || ' ' || balance || ' ' || held AS text FROM ledger_accounts
     WHERE owner = $1 AND kind IN ('business', 'receivable') ORDER BY kind`,
    [shop.owner.integrationId],
  );
  return rows.map(({ text }) => text);
};

describe('what a payout that ended unpaid frees pays first what the business owes', () => {
  test.each([
    ['cancelled', 0, (id: string) => write(shop, (tx) => cancelPayout(tx, shop.deps, id))],
    ['rejected', 1, (id: string) => write(shop, (tx) => rejectPayout(tx, shop.deps, id, 'No'))],
    ['failed', 0, (id: string) => write(shop, (tx) => failPayout(tx, shop.deps, id, 'No'))],
  ])('when it is %s', async (status, approvals, end) => {
    const id = await payoutOfDebtor(approvals);
    expect(await balances()).toEqual(['business 100 90', 'receivable -30 0']);
    expect(await end(id)).toMatchObject({ status });
    expect(await balances()).toEqual(['business 70 0', 'receivable 0 0']);
  });

  test('beside somebody who books on both accounts, without a circle of locks', async () => {
    const id = await payoutOfDebtor(0);
    let cancelled: Promise<unknown> = Promise.resolve();
    await transaction(db, async (tx) => {
      await tx.query("SELECT FROM ledger_accounts WHERE owner = $1 AND kind = 'receivable' FOR UPDATE", [
        shop.owner.integrationId,
      ]);
      cancelled = write(shop, (own) => cancelPayout(own, shop.deps, id));
      await endedOrWaiting(db, cancelled);
      // As `lockAccounts` goes on: nobody holds the account with the higher id and waits for the other.
      await tx.query("SELECT FROM ledger_accounts WHERE owner = $1 AND kind = 'business' FOR UPDATE NOWAIT", [
        shop.owner.integrationId,
      ]);
    });
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    expect(await balances()).toEqual(['business 70 0', 'receivable 0 0']);
  });
});

test('what left though its payout had ended is owed, and is no longer once a reorg gives it back', async () => {
  const id = await payoutOfDebtor(0);
  await write(shop, (tx) => cancelPayout(tx, shop.deps, id));
  expect(await balances()).toEqual(['business 70 0', 'receivable 0 0']);
  const report = (state: 'sent' | 'undone') => {
    const what = { rail: 'simulated', id, state, transaction: '0x1', why: null, at: shop.clock.now() };
    return write(shop, (tx) => takeSendReports(tx, shop.deps, [what]));
  };
  await report('sent');
  expect(await balances()).toEqual(['business 0 0', 'receivable -20 0']);
  await report('undone');
  expect(await balances()).toEqual(['business 70 0', 'receivable 0 0']);
});
