import { beforeEach, describe, expect, test } from 'vitest';
import { claim } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventsOf,
  eventTypesOf,
  ledgerOf,
  noRail,
  openShop,
  paymentById,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { addAddress } from '../../payouts/rules/addresses.ts';
import { changePayoutSettings, payoutSettingsOf } from '../../payouts/rules/settings.ts';
import { returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund, type WantedRefund } from './order.ts';
import { answerRefund, waitingPayments, waitingTransfers } from './own-transfers.ts';
import { safeFiles } from './prepared-transfer.ts';
import { refundableOf, totalOf } from './refundable.ts';
import { refundView } from './view.ts';

const { db } = await testDatabase();
const merchant = `0x${'a1'.repeat(20)}`;
const customer = `0x${'C2'.repeat(20)}`;
const token = `0x${'cc'.repeat(20)}`;
const direct = { merchant, basisPoints: 100 };
const place = { chainId: 31_337, token, after: 7n };
const rail = { ...noRail, tokenPlace: async () => place };
const key = { accountId: null, name: 'key', limits: null };
const destination = { to: customer, memo: null };
const due = 10_000_000n;
/** What of it is the merchant's: the host's part is one in a hundred. */
const net = 9_900_000n;

let shop: Shop;
let keys = 0;
beforeEach(async () => {
  shop = await openShop(db, {}, { rail });
});

type Sent = { units?: bigint; isDirect?: boolean; asset?: string; state?: 'final' | 'gone'; name?: number };
const pay = (payment: Payment, { units = due, isDirect = true, name = ++keys, ...seen }: Sent = {}) =>
  report(shop, payment, { key: `direct ${name}`, units, ...seen, ...(isDirect && { direct }) });
const paid = async (sent?: Sent) => pay(await shop.create(), sent);
const order = (
  payment: Payment,
  wanted: Partial<WantedRefund> = {},
  requester: typeof key | Limited = key,
) => {
  shop.clock.advance(1);
  const all = { asset: null, units: null, destination: null, reason: null, ...wanted };
  return write(shop, (tx) =>
    orderRefund(tx, shop.deps, payment.id, { wanted: all, requester, ownTime: shop.clock.now() }),
  );
};
type Limited = Omit<typeof key, 'limits'> & {
  limits: { allowanceId: string; byAsset: Record<string, string>; asksAbove?: boolean };
};
const cancel = (payment: Payment, id: string) =>
  write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, id));
const answer = (payment: Payment, id: string, name = `transfer ${++keys}`) =>
  write(shop, (tx) =>
    answerRefund(tx, shop.deps, { id, paymentId: payment.id }, { key: name, transaction: '0xfeed' }),
  );
/** The customer disputes a payment, and the operator gives all of it back. */
async function appealed(payment: Payment): Promise<void> {
  await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'broken'));
  const { rows } = await db.query<{ id: string }>('SELECT id FROM appeals WHERE payment_id = $1', [
    payment.id,
  ]);
  const by = { accountId: newId(), as: 'operator', note: null } as const;
  await write(shop, (tx) => returnAppeal(tx, shop.deps, { scope: 'all', id: rows[0]!.id }, by));
}
const refunds = async (payment: Payment) =>
  (await refundsOf(db, payment.id)).map(({ status, units }) => `${status} ${units}`);
const left = async (payment: Payment) =>
  (await refundableOf(db, shop.assets, await paymentById(db, payment.id))).map(totalOf);
const view = async (payment: Payment) => {
  const [refund] = await refundsOf(db, payment.id);
  return refundView({ assets: shop.assets, pagesAt: 'https://pay.example/pay' }, payment, refund!);
};

describe('a refund of what is at the merchant’s own address', () => {
  test('waits for the merchant’s transfer, and moves nothing in the ledger', async () => {
    const payment = await paid();
    const before = await ledgerOf(db, payment);
    const refund = await order(payment, { destination, reason: 'broken' });
    expect(refund).toMatchObject({ status: 'awaiting_transfer', units: net, isDirect: true, payoutId: null });
    expect(await waitingTransfers(db, place.chainId)).toEqual([
      {
        ...{ id: refund.id, paymentId: payment.id, token, from: merchant, to: customer.toLowerCase() },
        ...{ units: net, after: 7n, readTo: 7n },
      },
    ]);
    expect(await answer(payment, refund.id)).toBe(true);
    expect(await view(payment)).toMatchObject({
      ...{ status: 'completed', amount: '9.9', fee_returned: '0', transaction: '0xfeed', transfer: null },
    });
    expect(await ledgerOf(db, payment)).toEqual(before);
    expect(await statusOf(shop, payment)).toBe('completed');
    const events = (await eventsOf(db, payment)).slice(-2);
    expect(events.map(({ type }) => type)).toEqual(['refund_created', 'payment_refunded']);
    expect(events[1]!.body).toMatchObject({ refund_id: refund.id, refund_amount: '9.9' });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('comes with the transfer to sign, as a link and as a file', async () => {
    const payment = await paid();
    await order(payment, { destination, units: 5_000_000n });
    const { transfer } = await view(payment);
    const word = customer.slice(2).toLowerCase().padStart(64, '0');
    expect(transfer).toMatchObject({
      chain_id: 31_337,
      amount: '5',
      data: `0xa9059cbb${word}${5_000_000n.toString(16).padStart(64, '0')}`,
    });
    expect(transfer!.from.toLowerCase()).toBe(merchant);
    expect(transfer!.link).toBe(
      `ethereum:${transfer!.token}@31337/transfer?address=${transfer!.to}&uint256=5000000`,
    );
    const call = { to: transfer!.token, data: transfer!.data, value: '0' };
    expect(JSON.parse(transfer!.safe).transactions).toMatchObject([call]);
  });

  test('is in one file for a Safe with all others out of its address', async () => {
    const payment = await paid();
    for (const units of [1_000_000n, 2_000_000n]) await order(payment, { destination, units });
    await order(payment, { units: 1n });
    expect((await waitingPayments(db, shop.owner)).map(({ id }) => id)).toEqual([payment.id]);
    const waiting = (await refundsOf(db, payment.id)).map((refund) => ({ payment, refund }));
    const [file, ...others] = safeFiles(shop.assets, waiting.slice(0, 2), shop.clock.now());
    expect([file!.from, file!.refunds, others]).toEqual([merchant, 2, []]);
    const { chainId, meta, transactions } = JSON.parse(file!.file);
    expect([chainId, meta.name]).toEqual(['31337', '2 refunds']);
    const sent = transactions.map(({ data }: { data: string }) => BigInt(`0x${data.slice(-64)}`));
    expect(sent).toEqual([1_000_000n, 2_000_000n]);
  });

  test('never sums up to more than the merchant got', async () => {
    const payment = await paid({ units: 12_000_000n });
    const first = await order(payment, { destination, units: 3_000_000n });
    // What came too much is refunded first, less the host's part.
    expect(first.parts).toEqual({ overpayment: 1_980_000n, business: 1_020_000n, fees: 0n, suspense: 0n });
    await expect(order(payment, { units: 8_880_001n })).rejects.toThrow(
      'amount is more than can be refunded (8.88 usdc-erc20)',
    );
    await answer(payment, first.id);
    expect(await left(payment)).toEqual([8_880_000n]);
    await order(payment);
    await expect(order(payment)).rejects.toThrow('Nothing to refund');
    expect(await refunds(payment)).toEqual(['completed 3000000', 'awaiting_destination 8880000']);
  });

  test('is answered once, and one transfer answers one', async () => {
    const payment = await paid();
    const one = await order(payment, { destination, units: 1_000_000n });
    const other = await order(payment, { destination, units: 1_000_000n });
    expect(await answer(payment, one.id, 'the same')).toBe(true);
    expect(await answer(payment, one.id, 'another')).toBe(false);
    await expect(answer(payment, other.id, 'the same')).rejects.toThrow(/direct_refunds_answered_by/);
    expect(await refunds(payment)).toEqual(['completed 1000000', 'awaiting_transfer 1000000']);
  });

  test('can be cancelled while it waits, and not afterwards', async () => {
    const payment = await paid();
    const first = await order(payment, { destination });
    expect((await cancel(payment, first.id)).status).toBe('cancelled');
    expect(await answer(payment, first.id)).toBe(false);
    const second = await order(payment, { destination });
    await answer(payment, second.id);
    await expect(cancel(payment, second.id)).rejects.toThrow('Payout can no longer be cancelled');
    expect(await refunds(payment)).toEqual([`cancelled ${net}`, `completed ${net}`]);
    expect(await eventTypesOf(db, payment)).not.toContain('refund_failed');
  });

  test('is claimed by its customer, who needs nobody’s approval', async () => {
    const payment = await paid();
    const refund = await order(payment);
    expect(refund.status).toBe('awaiting_destination');
    const claimed = await claim(shop, payment, { refundId: refund.id, to: customer });
    expect(claimed).toMatchObject({ status: 'awaiting_transfer', to: customer });
    await expect(claim(shop, payment, { refundId: refund.id, to: merchant })).rejects.toThrow('being sent');
  });

  test('is not owed by the gateway: without one of the merchant’s there is nothing to claim', async () => {
    const payment = await paid({ units: 12_000_000n });
    await expect(claim(shop, payment, { to: customer })).rejects.toThrow('Nothing to refund');
  });

  test('does not go back to the address that it comes from', async () => {
    const payment = await paid();
    await expect(order(payment, { destination: { to: merchant, memo: null } })).rejects.toThrow(
      'is the address that it is sent from',
    );
  });

  test('goes to a known address alone where the business wants that', async () => {
    const payment = await paid();
    const settings = await payoutSettingsOf(db, shop.owner);
    await write(shop, (tx) =>
      changePayoutSettings(tx, shop.owner, { ...settings, knownAddressesOnly: true }, shop.clock.now()),
    );
    await expect(order(payment, { destination })).rejects.toThrow('Address is not in the address book');
    const known = { address: customer, memo: null, label: 'Customer', by: 'owner' };
    await write(shop, (tx) => addAddress(tx, shop.owner, known, shop.clock.now()));
    shop.clock.advance(24 * 3600);
    expect((await order(payment, { destination })).status).toBe('awaiting_transfer');
  });

  test('counts in the limits of its key, less what came too much, until it ends unsent', async () => {
    const payment = await paid({ units: 12_000_000n });
    const byAsset = { 'usdc-erc20': '3' };
    const limited = { ...key, limits: { allowanceId: 'a key', byAsset } };
    await expect(order(payment, { destination, units: 4_980_001n }, limited)).rejects.toThrow(
      /may pay out 3/,
    );
    const first = await order(payment, { destination, units: 4_980_000n }, limited);
    await expect(order(payment, { destination, units: 1n }, limited)).rejects.toThrow(/0 is left/);
    await cancel(payment, first.id);
    expect((await order(payment, { destination, units: 3_000_000n }, limited)).status).toBe(
      'awaiting_transfer',
    );
  });
});

describe('of a payment that came both ways', () => {
  test('what the gateway has is sent first, and what the merchant has is a refund of its own', async () => {
    const payment = await paid({ units: 4_000_000n, isDirect: false });
    await pay(payment, { units: 6_000_000n });
    expect(await left(payment)).toEqual([4_000_000n + 5_940_000n]);
    const own = {
      kind: 'business',
      owner: shop.owner.integrationId,
      mode: 'test',
      asset: 'usdc-erc20',
    } as const;
    await seedBalance(db, { ...own, units: due });
    const last = await order(payment, { destination, units: 5_000_000n });
    expect(last).toMatchObject({ isDirect: true, status: 'awaiting_transfer', units: 1_000_000n });
    expect((await refunds(payment)).sort()).toEqual(['awaiting_transfer 1000000', 'queued 4000000']);
    expect(await left(payment)).toEqual([4_940_000n]);
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('the end of an appeal', () => {
  test('asks the merchant for what they got, and it stays owed when that is cancelled', async () => {
    const payment = await paid();
    await appealed(payment);
    expect(await statusOf(shop, payment)).toBe('cancelled returned');
    expect(await refunds(payment)).toEqual([`awaiting_destination ${net}`]);
    const [refund] = await refundsOf(db, payment.id);
    await expect(cancel(payment, refund!.id)).rejects.toThrow('Payout can no longer be cancelled');
    await claim(shop, payment, { refundId: refund!.id, to: customer });
    expect((await cancel(payment, refund!.id)).status).toBe('awaiting_destination');
    await claim(shop, payment, { refundId: refund!.id, to: customer });
    await answer(payment, refund!.id);
    expect(await refunds(payment)).toEqual([`completed ${net}`]);
    expect((await eventTypesOf(db, payment)).slice(-3)).toEqual([
      'appeal_closed',
      'refund_created',
      'refunded',
    ]);
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('when the deposit leaves its chain', () => {
  test('what was not sent is cancelled, and what was sent stays', async () => {
    const payment = await paid({ name: 1_000_001 });
    const sent = await order(payment, { destination, units: 1_000_000n });
    await answer(payment, sent.id);
    await order(payment, { destination, units: 2_000_000n });
    await pay(payment, { name: 1_000_001, state: 'gone' });
    expect(await refunds(payment)).toEqual(['completed 1000000', 'cancelled 2000000']);
    expect(await left(payment)).toEqual([]);
    await pay(payment, { name: 1_000_001 });
    expect(await left(payment)).toEqual([net - 1_000_000n]);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('what an appeal gave back is asked for again when it is back', async () => {
    const payment = await paid({ name: 1_000_002 });
    await appealed(payment);
    await pay(payment, { name: 1_000_002, state: 'gone' });
    expect(await refunds(payment)).toEqual([`cancelled ${net}`]);
    expect(await auditFindings(db)).toEqual([]);
  });
});
