import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventTypesOf,
  ledgerOf,
  openShop,
  pass,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { depositAt, onePi, reportPaid, reportUnmatched } from '../../../test/support/unmatched-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { netByCause } from '../../ledger/by-cause.ts';
import { suspenseOf } from '../../ledger/totals.ts';
import type { UnmatchedDeposit } from '../../rails/rail.ts';
import { returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { owedRefunds } from '../refunds/owed-refunds.ts';
import { transfersOf } from '../settlement/received.ts';
import { assignUnmatched, findUnmatched, keepUnmatched } from './assign.ts';

const full = 10n * onePi;
const operator = newId();

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
let deposit: UnmatchedDeposit;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create({ currency: 'PI' });
  shop.clock.advance(60);
  deposit = depositAt(shop);
});

const by = { accountId: operator, reason: 'The customer wrote' };
const assign = (to: Pick<Payment, 'id'> = payment, { ledgerId } = deposit) =>
  write(shop, (tx) => assignUnmatched(tx, shop.deps, ledgerId, { paymentId: to.id, by }));
const keep = () => write(shop, (tx) => keepUnmatched(tx, deposit.ledgerId, by, shop.clock.now()));

/** What the deposit's own lines, and the payment's, left on accounts. */
const left = async (cause: string) =>
  (await netByCause(db, cause)).map(({ kind, owner, units }) => [`${kind} ${owner}`, units]);

describe('money that names no payment', () => {
  test('stands in the suspense of its rail, once however often it is reported', async () => {
    await Promise.all(Array.from({ length: 5 }, () => reportUnmatched(shop, deposit)));
    await reportUnmatched(shop, { ...deposit, units: 1n });
    expect(await left(deposit.ledgerId)).toEqual([
      ['external pi', -full],
      ['suspense pi', full],
    ]);
    expect(await findUnmatched(db, deposit.ledgerId)).toMatchObject({
      state: 'open',
      units: full,
      at: deposit.at,
    });
    expect(await statusOf(shop, payment)).toBe('unlinked');
  });

  test('is never taken for another that is reported under the same id', async () => {
    await reportUnmatched(shop, deposit);
    const other = depositAt(shop, { ledgerId: deposit.ledgerId });
    await expect(reportUnmatched(shop, other)).rejects.toThrow('has the ledger id of another');
  });

  test('is of no integration, and so in the suspense of none', async () => {
    await reportUnmatched(shop, deposit);
    expect(await suspenseOf(db, [deposit.ledgerId])).toEqual([
      { cause: deposit.ledgerId, owner: 'pi', asset: 'pi', units: full },
    ]);
  });
});

describe('money that is assigned', () => {
  beforeEach(() => reportUnmatched(shop, deposit));

  test('pays the payment, as of when it arrived', async () => {
    shop.clock.advance(20);
    expect((await assign()).status).toBe('completed');
    const { integrationId } = payment;
    expect(await left(payment.id)).toEqual([
      [`business ${integrationId}`, 99_000_000n],
      ['fees ', 1_000_000n],
      ['suspense pi', -full],
    ]);
    const { sender, at: seen_at, key } = deposit;
    expect(await transfersOf(db, payment.id)).toMatchObject([{ key, state: 'final', sender, seen_at }]);
    expect(await eventTypesOf(db, payment)).toEqual(['completed']);
    const decided = { decided_by: operator, reason: by.reason, decided_at: shop.clock.now() };
    expect(await findUnmatched(db, deposit.ledgerId)).toMatchObject({
      ...{ state: 'assigned', payment_id: payment.id, ...decided },
    });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is booked once by ten operators at the same instant, and by the rail that reports it again', async () => {
    await Promise.all(Array.from({ length: 10 }, () => assign()));
    await reportUnmatched(shop, deposit);
    expect(await eventTypesOf(db, payment)).toEqual(['completed']);
    expect(await left(deposit.ledgerId)).toEqual([
      ['external pi', -full],
      ['suspense pi', full],
    ]);
    expect(await ledgerOf(db, payment, 'pi')).toMatchObject({ suspense: -full });
  });

  test('before there was anything to pay counts from when there was', async () => {
    const later = await shop.create({ currency: 'PI' });
    expect((await assign(later)).status).toBe('completed');
    expect(await transfersOf(db, later.id)).toMatchObject([{ seen_at: later.createdAt }]);
  });

  test('in time covers a payment that was abandoned meanwhile', async () => {
    await pass(shop, 3 * 3600);
    expect((await assign()).status).toBe('completed');
    expect(await eventTypesOf(db, payment)).toEqual(['abandoned', 'completed']);
  });

  test('to a completed payment is owed to its customer', async () => {
    await reportPaid(shop, payment, { units: full, sender: null });
    await assign();
    expect(await ledgerOf(db, payment, 'pi')).toMatchObject({ payable: full });
    expect(await statusOf(shop, payment)).toBe('completed');
    expect(await auditFindings(db)).toEqual([]);
  });

  test('and refunded is owed to the customer, and not an unmatched deposit again', async () => {
    shop.clock.advance(3 * 24 * 3600);
    const half = depositAt(shop, { units: full / 2n });
    await reportUnmatched(shop, half);
    expect((await assign(payment, half)).status).toBe('in-appeal');
    const { rows } = await db.query<{ id: string }>('SELECT id FROM appeals WHERE payment_id = $1', [
      payment.id,
    ]);
    const who = { accountId: operator, as: 'operator', note: null } as const;
    await write(shop, (tx) => returnAppeal(tx, shop.deps, { scope: 'all', id: rows[0]!.id }, who));
    const refunds = await owedRefunds(db, { before: null, limit: 10 });
    expect(refunds.filter((refund) => refund.payment_id === payment.id)).toMatchObject([
      { units: full / 2n, transaction: half.transaction, sender: half.sender },
    ]);
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ suspense: -full / 2n, payable: full / 2n });
    expect(await auditFindings(db)).toEqual([]);
  });

  test.each([
    ['another one', async () => (await shop.create({ currency: 'PI' })).id],
    ['one that needs nothing', async () => payment.id],
  ])('is not assigned to %s after that', async (_, other) => {
    const to = await other();
    const first = await shop.create({ currency: 'PI' });
    await assign(first);
    await expect(assign({ id: to as Payment['id'] })).rejects.toThrow('has decided whose this money is');
    expect(await statusOf(shop, first)).toBe('completed');
  });

  test('goes to no payment of another currency', async () => {
    const other = await shop.create({ currency: 'USDC' });
    await expect(assign(other)).rejects.toThrow('cannot pay that payment');
  });

  test('goes to no test payment', async () => {
    const other = await (await openShop(db)).create({ currency: 'PI' });
    await expect(assign(other)).rejects.toThrow('cannot pay that payment');
    expect((await findUnmatched(db, deposit.ledgerId)).state).toBe('open');
  });

  test('that does not exist is not found', async () => {
    await expect(assign(payment, depositAt(shop))).rejects.toThrow('Not found');
  });
});

describe('money of the operator’s own', () => {
  beforeEach(() => reportUnmatched(shop, deposit));

  test('is the treasury’s, and is no payment’s any more', async () => {
    await keep();
    expect(await left(deposit.ledgerId)).toEqual([
      ['external pi', -full],
      ['external pi:operator', full],
    ]);
    await expect(keep()).rejects.toThrow('has decided');
    await expect(assign()).rejects.toThrow('has decided');
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('a transfer that was reported to a payment and then gone', () => {
  const railReports = (state: 'seen' | 'gone', to = payment) =>
    reportPaid(shop, to, { units: deposit.units, sender: deposit.sender, key: deposit.key, state });

  test.each(['the same', 'another'])(
    'is assigned to %s payment out of the suspense of its rail',
    async (which) => {
      await railReports('seen');
      expect(await statusOf(shop, payment)).toBe('pending');
      await railReports('gone');
      await reportUnmatched(shop, deposit);
      const to = which === 'the same' ? payment : await shop.create({ currency: 'PI' });
      await assign(to);
      expect(await statusOf(shop, to)).toBe('completed');
      expect((await left(to.id)).at(-1)).toEqual(['suspense pi', -full]);
      expect(await auditFindings(db)).toEqual([]);
    },
  );

  test('is not assigned while a payment still has it', async () => {
    await railReports('seen');
    await reportUnmatched(shop, deposit);
    const other = await shop.create({ currency: 'PI' });
    await expect(assign(other)).rejects.toThrow('is a transfer of another payment');
    expect((await findUnmatched(db, deposit.ledgerId)).state).toBe('open');
    expect(await statusOf(shop, payment)).toBe('pending');
  });
});
