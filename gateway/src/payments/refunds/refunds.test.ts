import { beforeEach, describe, expect, test } from 'vitest';
import { claim, playRefund, testAddress } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventsOf,
  eventTypesOf,
  ledgerOf,
  openShop,
  paymentById,
  report,
  type Shop,
  spend,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { changePayoutSettings, payoutSettingsOf } from '../../payouts/rules/settings.ts';
import { payFromWallet } from '../../wallets/pay.ts';
import { returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund, type WantedRefund } from './order.ts';
import { owedTo } from './refundable.ts';
import { setRefundSettings } from './settings.ts';
import { endUnclaimed } from './unclaimed.ts';

const { db } = await testDatabase();
const due = 10_000_000n;
const key = { accountId: null, name: 'key', limits: null };
const destination = { to: testAddress, memo: null };
let shop: Shop;
let keys = 0;
beforeEach(async () => {
  shop = await openShop(db);
});

const pay = (
  payment: Payment,
  units = due,
  asset = 'usdc-erc20',
  state: 'final' | 'gone' = 'final',
  name = ++keys,
) => report(shop, payment, { key: `refunds ${name}`, units, asset, state });
async function paid(units = due): Promise<Payment> {
  return await pay(await shop.create(), units);
}
// Refunds are listed by when they were made.
const order = (payment: Payment, wanted: Partial<WantedRefund> = {}) => {
  shop.clock.advance(1);
  const all = { asset: null, units: null, destination: null, reason: null, ...wanted };
  const ordered = { wanted: all, requester: key, ownTime: shop.clock.now() };
  return write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, ordered));
};
const cancel = (payment: Payment, id: string) =>
  write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, id));
const ledger = (payment: Payment, asset?: string) => ledgerOf(db, payment, asset);
const refunds = async (payment: Payment) =>
  (await refundsOf(db, payment.id)).map(({ status, units }) => `${status} ${units}`);

describe('a refund that the merchant orders', () => {
  test('to an address is sent, and leaves by the business balance alone: the fee is kept', async () => {
    const payment = await paid();
    await seedBalance(db, {
      owner: shop.owner.integrationId,
      kind: 'business',
      mode: 'test',
      asset: 'usdc-erc20',
      units: due,
    });
    const refund = await order(payment, { destination, reason: 'broken' });
    expect(refund).toMatchObject({
      status: 'queued',
      units: due,
      to: testAddress,
      parts: { business: due, fees: 0n },
    });
    expect(await ledger(payment)).toEqual({
      external: -due,
      business: -100_000n,
      fees: 100_000n,
      payable: due,
    });
    await playRefund(shop, refund, 'sent');
    expect(await ledger(payment)).toEqual({ business: -100_000n, fees: 100_000n });
    expect(await refunds(payment)).toEqual([`completed ${due}`]);
    expect(await statusOf(shop, payment)).toBe('completed');
    const events = await eventsOf(db, payment);
    expect(events.slice(-2).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['refund_created', 2],
      ['payment_refunded', 3],
    ]);
    expect(events.at(-1)!.body).toMatchObject({
      payment_status: 'completed',
      ...{ refund_id: refund.id, refund_asset: 'usdc-erc20', refund_amount: '10' },
    });
    await expect(order(payment)).rejects.toThrow('Nothing to refund');
    expect(await auditFindings(db)).toEqual([]);
  });

  test('takes the overpayment first, and never sums up to more than came', async () => {
    const payment = await paid(12_000_000n);
    const first = await order(payment, { units: 3_000_000n });
    expect(first.parts).toEqual({ overpayment: 2_000_000n, business: 1_000_000n, fees: 0n, suspense: 0n });
    await expect(order(payment, { units: 9_000_001n })).rejects.toThrow(
      'amount is more than can be refunded (9 usdc-erc20)',
    );
    expect((await order(payment, { units: 8_900_000n })).parts.business).toBe(8_900_000n);
    await expect(order(payment)).rejects.toThrow('Insufficient business balance');
  });

  test('gives the fee’s share back where the merchant set so, to the unit over several refunds', async () => {
    const settings = { feeOnRefund: 'returned', claimLimitCents: 5_000, claimLimits: {} } as const;
    await write(shop, (tx) => setRefundSettings(tx, shop.owner.integrationId, settings, shop.clock.now()));
    const payment = await paid();
    const thirds = [3_333_333n, 3_333_333n, 3_333_334n];
    const fees: bigint[] = [];
    for (const units of thirds) fees.push((await order(payment, { units })).parts.fees);
    expect(fees).toEqual([33_333n, 33_334n, 33_333n]);
    expect(await ledger(payment)).toEqual({ external: -due, payable: due });
  });

  test('waits for its customer without an address, and goes back when it is cancelled', async () => {
    const payment = await paid(11_000_000n);
    const before = await ledger(payment);
    const refund = await order(payment, { units: 5_000_000n });
    expect(refund.status).toBe('awaiting_destination');
    const claimed = await claim(shop, payment, { refundId: refund.id });
    expect(claimed).toMatchObject({ status: 'queued', to: testAddress });
    await expect(claim(shop, payment, { refundId: refund.id })).rejects.toThrow('This refund is being sent');
    expect((await cancel(payment, refund.id)).status).toBe('cancelled');
    expect(await ledger(payment)).toEqual(before);
    await expect(cancel(payment, refund.id)).rejects.toThrow('Payout can no longer be cancelled');
  });

  test('that is being sent cannot be cancelled; one that fails is owed again', async () => {
    const payment = await paid(11_000_000n);
    const refund = await order(payment, { units: 1_000_000n, destination });
    await playRefund(shop, refund, 'slow');
    await expect(cancel(payment, refund.id)).rejects.toThrow('Payout can no longer be cancelled');
    const other = await order(payment, { units: 2_000_000n, destination });
    await playRefund(shop, other, 'refused_address');
    const [, failed] = await refundsOf(db, payment.id);
    expect(failed).toMatchObject({
      ...{ status: 'awaiting_destination', payoutId: null, to: null },
      failure: 'The token refuses this address',
    });
    expect((await eventTypesOf(db, payment)).at(-1)).toBe('refund_failed');
    await playRefund(shop, await claim(shop, payment, { refundId: other.id }), 'sent');
    expect(await refunds(payment)).toEqual(['sending 1000000', 'completed 2000000']);
  });

  test('that a reorg takes back is sent again, and announced once', async () => {
    const payment = await paid(11_000_000n);
    await playRefund(shop, await order(payment, { units: 1_000_000n, destination }), 'reorg');
    expect(await refunds(payment)).toEqual(['completed 1000000']);
    expect((await eventTypesOf(db, payment)).filter((type) => type === 'refunded')).toHaveLength(1);
  });

  test('goes to the wallet that paid, at once', async () => {
    const owner = await seedUser(db, `refunded ${newId()}`);
    await seedBalance(db, { owner, kind: 'user', mode: 'test', asset: 'usdc-erc20', units: due });
    const payment = await shop.create();
    await write(shop, (tx) => payFromWallet(tx, shop.deps, payment.id, owner));
    const refund = await order(payment, { units: 4_000_000n, destination });
    expect(refund).toMatchObject({ status: 'completed', wallet: owner, to: null });
    const [wallet] = await balancesOf(db, { kind: 'user', owner, mode: 'test' });
    expect(wallet?.available).toBe(4_000_000n);
    expect((await eventTypesOf(db, payment)).slice(-2)).toEqual(['refund_created', 'refunded']);
  });

  test('is not made for a payment that is not settled, but its wrong token is', async () => {
    const payment = await pay(await shop.create(), 4_000_000n);
    await expect(order(payment)).rejects.toThrow('Nothing to refund');
    await pay(payment, 7n, 'pi');
    await expect(order(payment, { asset: 'usdc-erc20' })).rejects.toThrow('Nothing to refund');
    expect(await order(payment)).toMatchObject({ asset: 'pi', units: 7n, parts: { suspense: 7n } });
  });
});

describe('a claim', () => {
  test('of an overpayment makes its refund, once', async () => {
    const payment = await paid(12_000_000n);
    expect([...(await owedTo(db, shop.assets, payment))]).toEqual([['usdc-erc20', 2_000_000n]]);
    const outcomes = await Promise.allSettled([
      claim(shop, payment),
      claim(shop, payment),
      claim(shop, payment),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refunds(payment)).toEqual(['queued 2000000']);
    expect((await owedTo(db, shop.assets, await paymentById(db, payment.id))).size).toBe(0);
    expect(await ledger(payment)).toMatchObject({ business: 9_900_000n, payable: 2_000_000n });
  });

  test('above the limit, and of a wrong token, waits for somebody of the business', async () => {
    const payment = await paid(70_000_000n);
    await pay(payment, 7n, 'pi');
    expect((await claim(shop, payment)).status).toBe('awaiting_approval');
    expect((await claim(shop, payment, { asset: 'pi' })).status).toBe('awaiting_approval');
    for (const refund of await refundsOf(db, payment.id)) await playRefund(shop, refund, 'sent');
    expect(await refunds(payment)).toEqual(['completed 60000000', 'completed 7']);
    expect(await ledger(payment, 'pi')).toEqual({});
  });

  test('of what the merchant refunds is approved as payouts are', async () => {
    const settings = { ...(await payoutSettingsOf(db, shop.owner)), approvals: 1 };
    await transaction(db, (tx) => changePayoutSettings(tx, shop.owner, settings, shop.clock.now()));
    const payment = await paid(12_000_000n);
    expect((await claim(shop, payment)).status).toBe('queued');
    const refund = await order(payment, { units: 1_000_000n });
    expect((await claim(shop, payment, { refundId: refund.id })).status).toBe('awaiting_approval');
  });

  test('that nobody makes for 180 days leaves the business its part', async () => {
    const payment = await paid(12_000_000n);
    await order(payment, { units: 5_000_000n });
    shop.clock.advance(179 * 24 * 3600);
    await endUnclaimed(db, shop.deps);
    expect(await refunds(payment)).toEqual(['awaiting_destination 5000000']);
    shop.clock.advance(2 * 24 * 3600);
    expect(await endUnclaimed(db, shop.deps)).toBeGreaterThan(0);
    expect(await ledger(payment)).toMatchObject({ business: 9_900_000n, payable: 2_000_000n });
    expect([...(await owedTo(db, shop.assets, await paymentById(db, payment.id))).values()]).toEqual([
      2_000_000n,
    ]);
  });
});

describe('a payment that was refunded in part', () => {
  const dispute = async (payment: Payment): Promise<string> => {
    shop.clock.advance(1);
    await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Broken'));
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
      [payment.id],
    );
    return rows[0]!.id;
  };
  const by = { accountId: newId(), as: 'operator', note: null } as const;

  test('refunds the rest at the end of an appeal', async () => {
    const payment = await paid();
    await playRefund(shop, await order(payment, { units: 4_000_000n, destination }), 'sent');
    const appeal = await dispute(payment);
    await write(shop, (tx) => returnAppeal(tx, shop.deps, { scope: 'all', id: appeal }, by));
    expect(await refunds(payment)).toEqual(['completed 4000000', 'awaiting_destination 6000000']);
    expect(await ledger(payment)).toEqual({ external: -6_000_000n, payable: 6_000_000n });
    const [, rest] = await refundsOf(db, payment.id);
    await expect(cancel(payment, rest!.id)).rejects.toThrow('Payout can no longer be cancelled');
  });

  test('that loses its deposit costs the business what was sent, until the deposit comes back', async () => {
    const payment = await shop.create();
    await pay(payment, due, 'usdc-erc20', 'final', 9_001);
    await playRefund(shop, await order(payment, { units: 4_000_000n, destination }), 'sent');
    await order(payment, { units: 1_000_000n, destination });
    const settled = await ledger(payment);
    await pay(payment, due, 'usdc-erc20', 'gone', 9_001);
    expect(await refunds(payment)).toEqual(['completed 4000000', 'cancelled 1000000']);
    expect(await ledger(payment)).toEqual({ external: 4_000_000n, receivable: -4_000_000n });
    await pay(payment, due, 'usdc-erc20', 'final', 9_001);
    expect(await statusOf(shop, payment)).toBe('completed covered_again');
    expect(await ledger(payment)).toEqual({ ...settled, business: 5_900_000n, payable: undefined });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('that spent its share owes it', async () => {
    const payment = await paid();
    const refund = await order(payment, { units: 4_000_000n, destination });
    await spend(shop, 5_900_000n);
    await expect(order(payment, { units: 1n })).rejects.toThrow('Insufficient business balance');
    await playRefund(shop, refund, 'sent');
    const appeal = await dispute(payment);
    await write(shop, (tx) => returnAppeal(tx, shop.deps, { scope: 'all', id: appeal }, by));
    expect(await ledger(payment)).toMatchObject({
      external: -6_000_000n,
      payable: 6_000_000n,
      receivable: -5_900_000n,
    });
  });
});
