import { beforeEach, describe, expect, test } from 'vitest';
import { claim, playRefund, testAddress } from '../../../test/refunds/claims.ts';
import { limitedKey, person, seedTeam, setPayouts } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  report,
  type Shop,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { approvePayout, rejectPayout } from '../../payouts/lifecycle/approve.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import { othersOf, payoutsById } from '../../payouts/payout/read.ts';
import { resumePayouts, stopPayouts } from '../../payouts/rules/stop.ts';
import { payFromWallet } from '../../wallets/pay.ts';
import type { UserId } from '../../wallets/users.ts';
import { returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund, type WantedRefund } from './order.ts';

const { db } = await testDatabase();
const unit = 1_000_000n;
const destination = { to: testAddress, memo: null };
let shop: Shop;
let user: UserId;
let one: string;
let other: string;
beforeEach(async () => {
  shop = await openShop(db);
  user = await seedUser(db, `refunded ${newId()}`);
  await seedBalance(db, { owner: user, kind: 'user', mode: 'test', asset: 'usdc-erc20', units: 600n * unit });
  [one = '', other = ''] = await seedTeam(shop, 2);
  // The fee of a payment that is refunded whole is the business's loss.
  const business = { owner: shop.owner.integrationId, kind: 'business', mode: 'test' } as const;
  await seedBalance(db, { ...business, asset: 'usdc-erc20', units: 100n * unit });
});

/** A payment for which so many dollars came: out of the user's wallet, but for what an address sent too. */
async function paid(amount: number, fromChain = 0, key: string = newId()): Promise<Payment> {
  const payment = await shop.create({ amount: amount - fromChain });
  await write(shop, (tx) => payFromWallet(tx, shop.deps, payment.id, user));
  if (fromChain > 0) await report(shop, payment, { key, units: BigInt(fromChain) * unit });
  return payment;
}
const order = (payment: Payment, by: Requester, wanted: Partial<WantedRefund> = {}) => {
  shop.clock.advance(1);
  const all = { asset: null, units: null, destination: null, reason: null, ...wanted };
  const ordered = { wanted: all, requester: by, ownTime: shop.clock.now() };
  return write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, ordered));
};
const approve = (id: string, accountId: string) =>
  write(shop, (tx) => approvePayout(tx, shop.deps, id, { accountId, name: 'somebody', side: 'merchant' }));
const reject = (id: string) => write(shop, (tx) => rejectPayout(tx, shop.deps, id, 'Too much'));
// Refunds of one order have one time.
const refunds = async (payment: Payment) =>
  (await refundsOf(db, payment.id))
    .map(({ status, units, wallet }) => `${wallet ? 'wallet' : 'rest'} ${units / unit} ${status}`)
    .sort();
async function inWallet(): Promise<bigint> {
  const [balance] = await balancesOf(db, { kind: 'user', owner: user, mode: 'test' });
  return (balance?.available ?? 0n) / unit;
}
const payoutOf = ({ payoutId }: Refund): string => payoutId ?? '';
const walletPayout = async (payment: Payment) =>
  payoutOf((await refundsOf(db, payment.id)).find(({ wallet }) => wallet !== null)!);

describe('a refund to the wallet that paid', () => {
  test('waits for the approval of another person where payouts do, and nothing is sent before', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(500);
    const refund = await order(payment, person(one));
    expect(refund).toMatchObject({ status: 'awaiting_approval', wallet: user, to: null });
    expect(await inWallet()).toBe(100n);
    expect(await eventTypesOf(db, payment)).toContain('refund_created');
    await expect(order(payment, person(one))).rejects.toThrow('Nothing to refund');
    await expect(approve(payoutOf(refund), one)).rejects.toThrow('Who asked for a payout cannot approve it');
    expect((await approve(payoutOf(refund), other)).status).toBe('completed');
    expect(await refunds(payment)).toEqual(['wallet 500 completed']);
    expect(await inWallet()).toBe(600n);
    expect((await eventTypesOf(db, payment)).slice(-2)).toEqual(['refund_created', 'refunded']);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is made once: what another customer sent does not go there too', async () => {
    const payment = await paid(10, 4);
    await order(payment, person(one), { units: 6n * unit });
    expect(await inWallet()).toBe(600n);
    await order(payment, person(one), { units: 4n * unit, destination });
    expect(await refunds(payment)).toEqual(['rest 4 queued', 'wallet 6 completed']);
    expect(await inWallet()).toBe(600n);
  });

  test('takes the daily limit of the key that makes it', async () => {
    const payment = await paid(300);
    const key = limitedKey(newId(), '5');
    await expect(order(payment, key)).rejects.toThrow('This key may pay out 5 USDC a day; 5 is left');
    expect(await inWallet()).toBe(300n);
    expect((await order(payment, key, { units: 5n * unit })).status).toBe('completed');
    await expect(order(payment, key, { units: 1n })).rejects.toThrow('0 is left');
  });

  test('that is rejected or cancelled ends, and the business and the limit have it again', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(300);
    const before = await ledgerOf(db, payment);
    const key = limitedKey(newId(), '5', one);
    const five = { units: 5n * unit };
    await reject(payoutOf(await order(payment, key, five)));
    expect((await eventTypesOf(db, payment)).at(-1)).toBe('refund_failed');
    const { id } = await order(payment, key, five);
    expect((await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, id))).status).toBe('cancelled');
    expect(await refunds(payment)).toEqual(['wallet 5 cancelled', 'wallet 5 cancelled']);
    expect(await ledgerOf(db, payment)).toEqual(before);
    expect((await order(payment, key, five)).status).toBe('awaiting_approval');
  });

  test('is refused while payouts are stopped, and is not approved then', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(300);
    const waiting = await order(payment, person(one), { units: unit });
    const stop = { reason: 'a test', by: 'operator', at: shop.clock.now() };
    await write(shop, (tx) => stopPayouts(tx, stop));
    try {
      await expect(order(payment, person(one))).rejects.toThrow('Payouts are stopped');
      await expect(approve(payoutOf(waiting), other)).rejects.toThrow('Payouts are stopped');
    } finally {
      await write(shop, resumePayouts);
    }
    expect(await inWallet()).toBe(300n);
  });
});

describe('a refund partly to wallets', () => {
  test('waits as one: its sum decides, one approval is for all of it', async () => {
    await setPayouts(shop, { approvals: 1, approveAbove: { 'usdc-erc20': '400' } });
    const payment = await paid(500, 200);
    const refund = await order(payment, person(one), { destination });
    expect(refund).toMatchObject({ status: 'awaiting_approval', to: testAddress, wallet: null });
    expect(await refunds(payment)).toEqual(['rest 200 awaiting_approval', 'wallet 300 awaiting_approval']);
    // Whoever approves a part sees the others.
    const [rest] = await payoutsById(db, [payoutOf(refund)]).then((found) => [...found.values()]);
    const views = await othersOf(db, [rest!]);
    expect(views.get(rest!.id)).toMatchObject([{ units: 300n * unit, to: 'the wallet that paid' }]);
    await approve(payoutOf(refund), other);
    expect(await refunds(payment)).toEqual(['rest 200 queued', 'wallet 300 completed']);
    expect(await inWallet()).toBe(600n);
    await playRefund(shop, refund, 'sent');
    expect(await refunds(payment)).toEqual(['rest 200 completed', 'wallet 300 completed']);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('needs no approval where none is asked for its sum: wallets have theirs at once', async () => {
    await setPayouts(shop, { approvals: 1, approveAbove: { 'usdc-erc20': '500' } });
    const payment = await paid(500, 200);
    expect((await order(payment, person(one), { destination })).status).toBe('queued');
    expect(await refunds(payment)).toEqual(['rest 200 queued', 'wallet 300 completed']);
  });

  test('and for the rest left to the customer, who can claim it after the approval', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(500, 200);
    const rest = await order(payment, person(one));
    expect(rest).toMatchObject({ status: 'awaiting_approval', wallet: null, to: null });
    await expect(claim(shop, payment, { refundId: rest.id })).rejects.toThrow('This refund is being sent');
    await approve(await walletPayout(payment), other);
    expect(await refunds(payment)).toEqual(['rest 200 awaiting_destination', 'wallet 300 completed']);
    const claimed = await claim(shop, payment, { refundId: rest.id });
    await expect(approve(payoutOf(claimed), one)).rejects.toThrow('Who asked for a payout');
    await approve(payoutOf(claimed), other);
    await playRefund(shop, claimed, 'sent');
    expect(await refunds(payment)).toEqual(['rest 200 completed', 'wallet 300 completed']);
  });

  test.each([
    ['rejected', async (payment: Payment) => void (await reject(await walletPayout(payment)))],
    [
      'cancelled as a payout',
      async (payment: Payment) => {
        const id = await walletPayout(payment);
        await write(shop, (tx) => cancelPayout(tx, shop.deps, id));
      },
    ],
    [
      'cancelled by any of its parts',
      async (payment: Payment) => {
        const { id } = (await refundsOf(db, payment.id)).at(-1)!;
        await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, id));
      },
    ],
  ])('ends as one when it is %s', async (_, end) => {
    await setPayouts(shop, { approvals: 1 });
    for (const where of [destination, null]) {
      const payment = await paid(200, 100);
      const before = await ledgerOf(db, payment);
      await order(payment, person(one), { destination: where });
      await end(payment);
      expect(await refunds(payment)).toEqual(['rest 100 cancelled', 'wallet 100 cancelled']);
      expect(await ledgerOf(db, payment)).toEqual(before);
    }
    expect(await auditFindings(db)).toEqual([]);
  });

  test('gives way to the end of an appeal, which gives all of it back', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(500, 200);
    await order(payment, person(one));
    await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Broken'));
    const { rows } = await db.query<{ id: string }>('SELECT id FROM appeals WHERE payment_id = $1', [
      payment.id,
    ]);
    const by = { accountId: newId(), as: 'operator', note: null } as const;
    await write(shop, (tx) => returnAppeal(tx, shop.deps, { scope: 'all', id: rows[0]!.id }, by));
    expect(await refunds(payment)).toEqual([
      'rest 200 awaiting_destination',
      'rest 200 cancelled',
      'wallet 300 cancelled',
      'wallet 300 completed',
    ]);
    expect(await inWallet()).toBe(600n);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is cancelled whole when the deposit that it would give back leaves its chain', async () => {
    await setPayouts(shop, { approvals: 1 });
    const key = newId();
    const payment = await paid(200, 100, key);
    await order(payment, person(one), { destination });
    await report(shop, payment, { key, units: 100n * unit, state: 'gone' });
    expect(await refunds(payment)).toEqual(['rest 100 cancelled', 'wallet 100 cancelled']);
    expect(await ledgerOf(db, payment)).toMatchObject({ business: 99n * unit, fees: unit });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is approved once, by two who approve two of its parts at once', async () => {
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid(200, 100);
    await order(payment, person(one), { destination });
    const parts = await refundsOf(db, payment.id);
    const outcomes = await Promise.allSettled(parts.map((part) => approve(payoutOf(part), other)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refunds(payment)).toEqual(['rest 100 queued', 'wallet 100 completed']);
    expect(await inWallet()).toBe(600n);
  });
});
