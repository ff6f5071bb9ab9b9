import { beforeEach, expect, test } from 'vitest';
import { testAddress } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { auditFindings, openShop, report, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { takeSendReports } from '../../payouts/lifecycle/reports.ts';
import type { SendReport } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund } from './order.ts';

// Money of a refund that left though its payout had ended.

const { db } = await testDatabase();
let shop: Shop;
/** Of 10 dollars, for which 15 came. */
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
  await report(shop, payment, { key: `${payment.id} late`, units: 15_000_000n });
});

async function ordered(units: bigint, isSent: boolean): Promise<Refund> {
  shop.clock.advance(1);
  const destination = isSent ? { to: testAddress, memo: null } : null;
  const wanted = { asset: null, units, destination, reason: null };
  const requester = { accountId: null, name: 'key', limits: null };
  const order = { wanted, requester, ownTime: shop.clock.now() };
  return await write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, order));
}
const railReports = (id: string | null, state: SendReport['state']) => {
  const what = { rail: 'simulated', id: id ?? '', state, transaction: '0x1', why: null };
  return write(shop, (tx) => takeSendReports(tx, shop.deps, [{ ...what, at: shop.clock.now() }]));
};
const refunds = async () =>
  (await refundsOf(db, payment.id)).map(({ status, units }) => `${status} ${units}`);

/** A refund of 2 dollars whose payout failed: it waits for its customer again. */
async function failed(): Promise<Refund> {
  const refund = await ordered(2_000_000n, true);
  await railReports(refund.payoutId, 'failed');
  expect(await refunds()).toEqual(['awaiting_destination 2000000']);
  return refund;
}

test('it does the refund that waits again, and a reorg has that wait once more', async () => {
  const { payoutId } = await failed();
  await railReports(payoutId, 'sent');
  expect(await refunds()).toEqual(['completed 2000000']);
  await railReports(payoutId, 'undone');
  expect(await refunds()).toEqual(['awaiting_destination 2000000']);
  expect(await auditFindings(db)).toEqual([]);
});

test('it does no refund of another amount: where its own was cancelled the business pays', async () => {
  const { id, payoutId } = await failed();
  await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, id));
  await ordered(3_000_000n, false);
  await railReports(payoutId, 'sent');
  expect(await refunds()).toEqual(['cancelled 2000000', 'awaiting_destination 3000000']);
  expect(await auditFindings(db)).toEqual([]);
});
