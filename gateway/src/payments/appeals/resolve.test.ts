import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  pass,
  report,
  type Shop,
  spend,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { payFromWallet } from '../../wallets/pay.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, disputePayment, linkPayment } from '../settlement/act.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { acceptAppeal, type DecidedBy, type Decision, rejectAppeal, returnAppeal } from './resolve.ts';

const { db } = await testDatabase();
const merchant: DecidedBy = { accountId: newId(), as: 'merchant', note: null };
const decisions = { accept: acceptAppeal, return: returnAppeal, reject: rejectAppeal };
const due = 10_000_000n;

let shop: Shop;
let keys = 0;
beforeEach(async () => {
  shop = await openShop(db);
});

async function appealOf({ id }: Payment) {
  const { rows } = await db.query('SELECT * FROM appeals WHERE payment_id = $1 ORDER BY opened_at DESC', [
    id,
  ]);
  return rows[0];
}

async function decideOn(payment: Payment, how: Decision, by = merchant) {
  const { id } = await appealOf(payment);
  return await write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id }, by));
}

const pay = (payment: Payment, units: bigint, asset = 'usdc-erc20', state: 'seen' | 'final' = 'final') =>
  report(shop, payment, { key: `resolve ${++keys}`, units, asset, state });

async function partPaid(units: bigint): Promise<Payment> {
  const payment = await shop.create();
  await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-erc20'));
  await pay(payment, units);
  await pass(shop, 601);
  expect(await statusOf(shop, payment)).toBe('in-appeal part_paid');
  return payment;
}

async function disputed(units = due): Promise<Payment> {
  const payment = await shop.create();
  await pay(payment, units);
  await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Nothing came'));
  return payment;
}

const balanceOf = async (kind: 'business' | 'receivable' | 'user', owner: string, asset = 'usdc-erc20') =>
  (await balancesOf(db, { kind, owner, mode: shop.caller.mode })).find((each) => each.asset === asset)
    ?.available ?? 0n;

describe('accepting what came', () => {
  test('completes the payment, and charges the fee on what came', async () => {
    const payment = await partPaid(2_500_050n);
    await decideOn(payment, 'accept');
    expect(await statusOf(shop, payment)).toBe('completed accepted');
    // 1 % of 2.50005 is 0.0250005, rounded half up.
    expect(await ledgerOf(db, payment)).toEqual({
      external: -2_500_050n,
      business: 2_475_049n,
      fees: 25_001n,
    });
    expect((await eventTypesOf(db, payment)).slice(-2)).toEqual(['in_appeal', 'completed']);
    expect(await appealOf(payment)).toMatchObject({
      decision: 'accepted',
      decided_by: merchant.accountId,
      decided_as: 'merchant',
      closed_at: shop.clock.now(),
    });
  });

  test('of more than is due leaves the rest to the customer', async () => {
    const payment = await shop.create();
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'merchant'));
    await pay(payment, 12_000_000n);
    await decideOn(payment, 'accept');
    expect(await ledgerOf(db, payment)).toEqual({
      external: -12_000_000n,
      business: 9_900_000n,
      fees: 100_000n,
      payable: 2_000_000n,
    });
  });

  test('waits until all that was seen is final, and then counts it', async () => {
    const payment = await partPaid(5_000_000n);
    await report(shop, payment, { key: 'on its way', units: 1_000_000n, state: 'seen' });
    await expect(decideOn(payment, 'accept')).rejects.toThrow('Some of the money is not final yet');
    await expect(decideOn(payment, 'return')).rejects.toThrow('Some of the money is not final yet');
    await report(shop, payment, { key: 'on its way', units: 1_000_000n });
    await decideOn(payment, 'accept');
    expect((await ledgerOf(db, payment)).business).toBe(5_940_000n);
  });

  test('is not for a dispute, and a dispute is not for the rest', async () => {
    await expect(decideOn(await disputed(), 'accept')).rejects.toThrow(
      'Not possible for an appeal whose reason is disputed',
    );
    await expect(decideOn(await partPaid(1_000_000n), 'reject')).rejects.toThrow(
      'Not possible for an appeal whose reason is part_paid',
    );
  });

  test('of nothing is refused: when all has left its chain, refunding only closes the appeal', async () => {
    const payment = await shop.create();
    await report(shop, payment, { key: 'lost', units: 5_000_000n, state: 'seen' });
    await pass(shop, 601);
    await report(shop, payment, { key: 'lost', units: 5_000_000n, state: 'gone' });
    await expect(decideOn(payment, 'accept')).rejects.toThrow('No money has come that could be accepted');
    await decideOn(payment, 'return');
    expect(await statusOf(shop, payment)).toBe('failed reorg');
    expect((await eventTypesOf(db, payment)).at(-1)).toBe('appeal_closed');
  });
});

describe('a dispute', () => {
  test('that is rejected moves no money, and sends payment_completed no second time', async () => {
    const payment = await disputed();
    const before = await ledgerOf(db, payment);
    await decideOn(payment, 'reject');
    expect(await statusOf(shop, payment)).toBe('completed dispute_rejected');
    expect(await ledgerOf(db, payment)).toEqual(before);
    expect(await eventTypesOf(db, payment)).toEqual(['completed', 'in_appeal', 'appeal_closed']);
  });

  test('books money that comes meanwhile as an overpayment, as for any completed payment', async () => {
    const payment = await disputed();
    await pay(payment, 3n);
    expect(await ledgerOf(db, payment)).toMatchObject({ business: 9_900_000n, payable: 3n });
    await decideOn(payment, 'return');
    expect(await ledgerOf(db, payment)).toEqual({ external: -due - 3n, payable: due + 3n });
  });
});

describe('giving the money back', () => {
  test('of what was never completed empties suspense, and the payment is cancelled', async () => {
    const payment = await partPaid(5_000_000n);
    await decideOn(payment, 'return');
    expect(await statusOf(shop, payment)).toBe('cancelled returned');
    expect(await ledgerOf(db, payment)).toEqual({ external: -5_000_000n, payable: 5_000_000n });
    expect((await eventTypesOf(db, payment)).slice(-2)).toEqual(['appeal_closed', 'refund_created']);
    expect(await refundsOf(db, payment.id)).toMatchObject([
      { asset: 'usdc-erc20', units: 5_000_000n, status: 'awaiting_destination', isOwed: true },
    ]);
  });

  test('leaves a failed payment failed', async () => {
    const payment = await shop.create();
    await report(shop, payment, { key: 'comes back', units: due, state: 'seen' });
    await report(shop, payment, { key: 'comes back', units: due, state: 'gone' });
    await pass(shop, 1_801);
    expect(await statusOf(shop, payment)).toBe('failed reorg');
    await report(shop, payment, { key: 'comes back', units: due });
    expect(await statusOf(shop, payment)).toBe('in-appeal paid_after_end');
    await decideOn(payment, 'return');
    expect(await statusOf(shop, payment)).toBe('failed returned');
  });

  test('of a disputed payment refunds all of it: share, fee, overpayment and wrong tokens', async () => {
    const payment = await disputed(11_000_000n);
    await pay(payment, 7n, 'pi');
    await decideOn(payment, 'return');
    expect(await statusOf(shop, payment)).toBe('cancelled returned');
    expect(await ledgerOf(db, payment)).toEqual({ external: -11_000_000n, payable: 11_000_000n });
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ external: -7n, payable: 7n });
  });

  test('goes to the wallet that paid', async () => {
    const owner = await seedUser(db, `returned ${newId()}`);
    await seedBalance(db, { owner, kind: 'user', mode: 'test', asset: 'usdc-erc20', units: due });
    const payment = await shop.create();
    await write(shop, (tx) => payFromWallet(tx, shop.deps, payment.id, owner));
    expect(await balanceOf('user', owner)).toBe(0n);
    await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Nothing came'));
    await decideOn(payment, 'return');
    expect(await balanceOf('user', owner)).toBe(due);
    const told = ['in_appeal', 'appeal_closed', 'refund_created', 'refunded'];
    expect((await eventTypesOf(db, payment)).slice(-4)).toEqual(told);
  });

  test('that a rail must send is owed until it does, in live mode', async () => {
    shop = await openShop(db, { approved: true }, { mode: 'live' });
    const payment = await disputed();
    await decideOn(payment, 'return');
    expect(await ledgerOf(db, payment)).toEqual({ external: -due, payable: due });
    expect(await refundsOf(db, payment.id)).toMatchObject([
      { units: due, status: 'awaiting_destination', completedAt: null },
    ]);
  });

  test('does not bring the payment back, but money that comes later does, and only that counts then', async () => {
    const payment = await disputed();
    await decideOn(payment, 'return');
    await pass(shop, 90_000);
    expect(await statusOf(shop, payment)).toBe('cancelled returned');
    await pay(payment, 4_000_000n);
    expect(await statusOf(shop, payment)).toBe('in-appeal paid_after_end');
    await decideOn(payment, 'accept');
    expect(await ledgerOf(db, payment)).toEqual({
      external: -4_000_000n - due,
      business: 3_960_000n,
      fees: 40_000n,
      payable: due,
    });
    expect((await eventTypesOf(db, payment)).filter((type) => type === 'completed')).toHaveLength(1);
  });

  test('that is decided twice at once happens once', async () => {
    const payment = await disputed();
    const { id } = await appealOf(payment);
    const outcomes = await Promise.allSettled(
      (['return', 'reject', 'return'] as const).map((how) =>
        write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id }, merchant)),
      ),
    );
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
    expect(refusals).toEqual(['This appeal is closed already', 'This appeal is closed already']);
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('what the business cannot give', () => {
  const owed = () => balanceOf('receivable', shop.caller.integration.id);
  const available = () => balanceOf('business', shop.caller.integration.id);

  test('it owes, and pays out of what comes next before it has anything to spend', async () => {
    const payment = await disputed();
    await spend(shop, 9_000_000n);
    await decideOn(payment, 'return');
    expect([await available(), await owed()]).toEqual([0n, -9_000_000n]);

    await pay(await shop.create({ amount: 5 }), 5_000_000n);
    expect([await available(), await owed()]).toEqual([0n, -4_050_000n]);
    await expect(spend(shop, 1n)).rejects.toThrow('insufficient');

    await pay(await shop.create(), due);
    expect([await available(), await owed()]).toEqual([5_850_000n, 0n]);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is settled to the unit while payments complete at the same time', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => disputed()));
    await spend(shop, 9_900_000n * 6n);
    const more = await Promise.all(Array.from({ length: 6 }, () => shop.create()));
    await Promise.all([
      ...payments.map((payment) => decideOn(payment, 'return')),
      ...more.map((payment) => pay(payment, due)),
    ]);
    // Six were refunded with nothing left, six were received: the received ones pay for the refunds.
    expect([await available(), await owed()]).toEqual([0n, 0n]);
    expect(await auditFindings(db)).toEqual([]);
  });
});
