import { beforeEach, describe, expect, test } from 'vitest';
import { claim, playRefund, testAddress } from '../../../test/refunds/claims.ts';
import { limitedKey, person, seedTeam, setPayouts } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, report, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { approvePayout } from '../../payouts/lifecycle/approve.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { orderOwedRefund } from './by-operator.ts';
import { cancelRefund } from './cancel.ts';
import { claimRefund } from './claim.ts';
import { orderRefund, type WantedRefund } from './order.ts';
import { statementOf } from './proof.ts';
import { endUnclaimed } from './unclaimed.ts';

const { db } = await testDatabase();
const unit = 1_000_000n;
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(db);
});

async function paid(units = 200n * unit, amount = 200): Promise<Payment> {
  const payment = await shop.create({ amount });
  return await report(shop, payment, { key: newId(), units });
}
const order = (payment: Payment, by: Requester, wanted: Partial<WantedRefund> = {}) => {
  shop.clock.advance(1);
  const all = { asset: null, units: null, destination: null, reason: null, ...wanted };
  const ordered = { wanted: all, requester: by, ownTime: shop.clock.now() };
  return write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, ordered));
};
const approve = ({ payoutId }: Refund, accountId: string) =>
  write(shop, (tx) =>
    approvePayout(tx, shop.deps, payoutId ?? '', { accountId, name: 'somebody', side: 'merchant' }),
  );
/** Limits of a key above which it asks. */
const asking = (allowanceId: string, limit: string) => ({
  ...{ allowanceId, byAsset: { 'usdc-erc20': limit }, asksAbove: true },
});
const onlyRefund = async (payment: Payment) => (await refundsOf(db, payment.id))[0]!;
/** What is taken of the limit of a key, on each day. */
async function taken(allowanceId: string): Promise<string[]> {
  const { rows } = await db.query<{ day: string; units: bigint }>(
    "SELECT to_char(day, 'MM-DD') AS day, units FROM payout_sums WHERE scope = $1 ORDER BY day",
    [`key ${allowanceId}`],
  );
  return rows.map(({ day, units }) => `${day}: ${units / unit}`);
}

describe('who makes a refund that is left to its customer', () => {
  test('never approves its payout, whoever claims it, and after it failed neither', async () => {
    const [one, other] = await seedTeam(shop, 2);
    await setPayouts(shop, { approvals: 1, knownAddressesOnly: true });
    const payment = await paid();
    const refund = await order(payment, person(one!), { units: 110n * unit });
    const claimed = await claim(shop, payment, { refundId: refund.id });
    expect(claimed.status).toBe('awaiting_approval');
    await expect(approve(claimed, one!)).rejects.toThrow('Who asked for a payout cannot approve it');
    expect((await approve(claimed, other!)).status).toBe('queued');
    await playRefund(shop, claimed, 'refused_address');
    const again = await claim(shop, payment, { refundId: refund.id });
    await expect(approve(again, one!)).rejects.toThrow('Who asked for a payout cannot approve it');
    expect((await approve(again, other!)).status).toBe('queued');
  });

  test('is, where a key made it, the person who made the key', async () => {
    const [one] = await seedTeam(shop, 2);
    await setPayouts(shop, { approvals: 1 });
    const payment = await paid();
    const refund = await order(payment, { accountId: one!, name: 'key', limits: null }, { units: unit });
    const claimed = await claim(shop, payment, { refundId: refund.id });
    await expect(approve(claimed, one!)).rejects.toThrow('Who asked for a payout cannot approve it');
  });
});

test('an operator who names the address of a business’s own refund needs its approval', async () => {
  const [one, other] = await seedTeam(shop, 2);
  const payment = await paid();
  const refund = await order(payment, person(one!), { units: unit });
  const to = { to: testAddress, memo: null };
  const operator = { accountId: newId(), name: 'operator', isConfirmed: true };
  const { refund: ordered } = await write(shop, (tx) =>
    orderOwedRefund(tx, shop.deps, refund.id, { destination: to, by: operator }),
  );
  expect(ordered.status).toBe('awaiting_approval');
  await expect(approve(ordered, one!)).rejects.toThrow('Who asked for a payout cannot approve it');
  expect((await approve(ordered, other!)).status).toBe('queued');
});

describe('where the business allows known addresses only, its money', () => {
  test('needs the approval of another person to go to an address that did not pay, whatever the amount', async () => {
    const [one, other] = await seedTeam(shop, 2);
    await setPayouts(shop, { approvals: 0, knownAddressesOnly: true });
    const payment = await paid();
    const refund = await order(payment, person(one!), { units: 1n });
    const claimed = await claim(shop, payment, { refundId: refund.id });
    expect(claimed.status).toBe('awaiting_approval');
    expect((await approve(claimed, other!)).status).toBe('queued');
    // An overpayment is the customer's own.
    const over = await paid(210n * unit);
    expect((await claim(shop, over)).status).toBe('queued');
  });

  test('goes to the address that paid, or to one proved by it, alone where nobody else may approve', async () => {
    const [one] = await seedTeam(shop, 1);
    await setPayouts(shop, { approvals: 0, knownAddressesOnly: true });
    const payment = await paid();
    await db.query("UPDATE payment_transfers SET sender = 'test_payer' WHERE payment_id = $1", [payment.id]);
    const [first, second] = [
      await order(payment, person(one!), { units: unit }),
      await order(payment, person(one!), { units: unit }),
    ];
    await expect(claim(shop, payment, { refundId: first.id })).rejects.toThrow(
      'to is invalid: only the address that paid, or one proved by it',
    );
    expect((await claim(shop, payment, { refundId: first.id, to: 'test_payer' })).status).toBe('queued');
    const stated = { host: 'pay.example', payment, asset: 'usdc-erc20', units: unit, to: testAddress };
    const statement = statementOf(shop.assets, stated);
    const proof = { provedBy: 'test_payer', statement, signature: '0x' };
    const { status } = await write(shop, (tx) =>
      claimRefund(
        tx,
        { ...shop.deps, faultOf: () => () => null, usdOf: () => '1' },
        {
          ...{ payment, refundId: second.id, asset: 'usdc-erc20', to: testAddress, memo: null },
          proved: { proof, host: 'pay.example' },
        },
      ),
    );
    expect(status).toBe('queued');
  });
});

describe('the daily limit of the key that makes a refund', () => {
  test('is taken when the refund is made, and not once more when it is claimed', async () => {
    const allowance = newId();
    const key = limitedKey(allowance, '5');
    const payment = await paid();
    await expect(order(payment, key, { units: 6n * unit })).rejects.toThrow(
      'This key may pay out 5 USDC a day; 5 is left',
    );
    const refund = await order(payment, key, { units: 4n * unit });
    await expect(order(payment, key, { units: 2n * unit })).rejects.toThrow(
      'This key may pay out 5 USDC a day; 1 is left',
    );
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    shop.clock.advance(24 * 3600);
    await claim(shop, payment, { refundId: refund.id });
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    expect((await order(payment, key, { units: 5n * unit })).status).toBe('awaiting_destination');
    expect(await taken(allowance)).toEqual(['03-01: 4', '03-02: 5']);
  });

  test('counts what is out of the business balance, and not an overpayment', async () => {
    const allowance = newId();
    const payment = await paid(300n * unit);
    const destination = { to: testAddress, memo: null };
    await order(payment, limitedKey(allowance, '5'), { units: 104n * unit, destination });
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    await expect(
      order(payment, limitedKey(allowance, '5'), { units: 2n * unit, destination }),
    ).rejects.toThrow('This key may pay out 5 USDC a day; 1 is left');
  });

  test('stays taken while a refund that failed is owed, and is given back to its day when it ends unsent', async () => {
    const allowance = newId();
    const key = limitedKey(allowance, '5');
    const payment = await paid();
    const destination = { to: testAddress, memo: null };
    const sent = await order(payment, key, { units: unit, destination });
    await playRefund(shop, sent, 'sent');
    const failing = await order(payment, key, { units: 3n * unit, destination });
    await playRefund(shop, failing, 'refused_address');
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    shop.clock.advance(24 * 3600);
    const again = await claim(shop, payment, { refundId: failing.id });
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, again.id));
    expect(await taken(allowance)).toEqual(['03-01: 1']);
    await order(payment, key, { units: 2n * unit });
    expect(await taken(allowance)).toEqual(['03-01: 1', '03-02: 2']);
    shop.clock.advance(181 * 24 * 3600);
    await endUnclaimed(db, shop.deps);
    expect((await onlyRefund(payment)).status).toBe('completed');
    expect(await taken(allowance)).toEqual(['03-01: 1', '03-02: 0']);
  });

  test('lets what is above it wait for a person, where the key asks, and counts nothing of that', async () => {
    const [one, other] = await seedTeam(shop, 2);
    const allowance = newId();
    const key = { accountId: one!, name: 'a key', limits: asking(allowance, '5') };
    const payment = await paid();
    const destination = { to: testAddress, memo: null };
    expect((await order(payment, key, { units: 4n * unit, destination })).status).toBe('queued');
    const above = await order(payment, key, { units: 2n * unit, destination });
    expect(above.status).toBe('awaiting_approval');
    expect(await taken(allowance)).toEqual(['03-01: 4']);
    await expect(approve(above, one!)).rejects.toThrow('Who asked for a payout cannot approve it');
    expect((await approve(above, other!)).status).toBe('queued');
    // One that its customer claims waits then, and each time again.
    const left = await order(payment, key, { units: 3n * unit });
    expect(left.status).toBe('awaiting_destination');
    const claimed = await claim(shop, payment, { refundId: left.id });
    expect(claimed.status).toBe('awaiting_approval');
    await approve(claimed, other!);
    await playRefund(shop, claimed, 'refused_address');
    expect((await claim(shop, payment, { refundId: left.id })).status).toBe('awaiting_approval');
    expect((await order(payment, key, { units: unit, destination })).status).toBe('queued');
    expect(await taken(allowance)).toEqual(['03-01: 5']);
  });

  test('refuses what is above it where nobody but who made the key could approve', async () => {
    const [one] = await seedTeam(shop, 1);
    const key = { accountId: one!, name: 'a key', limits: asking(newId(), '5') };
    await expect(order(await paid(), key, { units: 6n * unit })).rejects.toThrow(
      'This key may pay out 5 USDC a day; 5 is left',
    );
  });

  test('lets one of two through that are made at once', async () => {
    const allowance = newId();
    const payments = [await paid(), await paid()];
    const outcomes = await Promise.allSettled(
      payments.map((payment) => order(payment, limitedKey(allowance, '5'), { units: 5n * unit })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await taken(allowance)).toEqual(['03-01: 5']);
  });
});
