import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import type { Sending, SendReport } from '../../rails/rail.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { cancelPayout, failPayout } from './cancel.ts';
import { orderPayouts } from './order.ts';
import { takeSendReports } from './reports.ts';

const { db } = await testDatabase();
const asset = 'usdc-base';
/** What the network has signed, whether it was reported or not. */
const signed = new Set<string>();
const sending: Sending = {
  ...{ rail: 'evm:8453', mode: 'live', assets: [asset] },
  outside: { kind: 'external', owner: 'evm:8453:operator' },
  faultOf: () => null,
  ownOf: async () => new Set(),
  unavailable: async () => null,
  order: async () => {},
  cancel: async (_, id) => !signed.has(id),
};

let shop: Shop;
/** Of 10 units and a fee of 2, by a business with 100. */
let payout: Payout;
beforeEach(async () => {
  shop = await openShop(db, {}, { mode: 'live', sendings: [sending] });
  const { owner, deps, clock, assets } = shop;
  const debit = { kind: 'business', owner: owner.integrationId } as const;
  await seedBalance(db, { ...debit, mode: 'live', asset, units: 100n });
  const prices = { fee: 2n, minimum: 0n, dailyLimit: null, approveAbove: null };
  const requester = { accountId: null, name: 'a key', limits: null };
  const terms = { owner, mode: 'live', purpose: 'merchant_payout', debit, requester } as const;
  const rules = { isCharged: true, isAnyAddress: true, approval: 'never', ownTime: clock.now() } as const;
  const wanted = { asset: assets.get(asset), units: 10n, to: `0x${'ab'.repeat(20)}`, memo: null };
  [payout] = (await write(shop, async (tx) => {
    await setPayoutTerms(tx, asset, prices, clock.now());
    return await orderPayouts(tx, deps, { ...terms, ...rules }, [wanted]);
  })) as [Payout];
});

const report = (state: SendReport['state']) => {
  const what = {
    rail: 'evm:8453',
    id: payout.id,
    state,
    transaction: '0x1',
    why: null,
    at: shop.clock.now(),
  };
  return write(shop, (tx) => takeSendReports(tx, shop.deps, [what]));
};
/** `balance held` of the business. */
async function balance(): Promise<string> {
  const { rows } = await db.query<{ text: string }>(
    `SELECT balance || ' ' || held AS text FROM ledger_accounts WHERE owner = $1 AND kind = 'business'`,
    [shop.owner.integrationId],
  );
  return rows.map(({ text }) => text).join();
}

test('a payout of which nothing is signed is cancelled, and given back with its fee', async () => {
  expect(await balance()).toBe('100 12');
  await write(shop, (tx) => cancelPayout(tx, shop.deps, payout.id));
  expect(await balance()).toBe('100 0');
});

test.each([
  ['cancelled', cancelPayout],
  ['given up by an operator', failPayout],
])('one that its network has signed is not %s', async (_, end) => {
  signed.add(payout.id);
  await expect(write(shop, (tx) => end(tx, shop.deps, payout.id, 'No'))).rejects.toMatchObject({
    row: payoutErrors.payout_not_cancellable,
  });
  expect(await balance()).toBe('100 12');
});

test('one that a reorg takes back is set aside again with its fee, until it leaves once more', async () => {
  await report('sending');
  await report('sent');
  expect(await balance()).toBe('88 0');
  await report('undone');
  expect(await balance()).toBe('100 12');
  await report('sent');
  expect(await balance()).toBe('88 0');
});
