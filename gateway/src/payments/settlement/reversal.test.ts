import { beforeEach, describe, expect, test } from 'vitest';
import { sendRefunds } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
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
import { newId } from '../../kit/ids.ts';
import { describeAppeal } from '../appeals/read.ts';
import { acceptAppeal, type Decision, rejectAppeal, returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, disputePayment } from './act.ts';
import { refundsOf } from './refund-rows.ts';

// What happens when a transfer leaves its chain after it was final: a reorg deeper than the setting.

const full = 10_000_000n;
const half = 5_000_000n;
const settled = { external: -full, business: 9_900_000n, fees: 100_000n };
const decisions = { accept: acceptAppeal, return: returnAppeal, reject: rejectAppeal };
const decider = { accountId: newId(), as: 'operator', note: null } as const;

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create();
});

const railReports = (key: string, state: 'seen' | 'final' | 'gone', units = full, asset = 'usdc-erc20') =>
  report(shop, payment, { key: `${payment.id} ${key}`, units, state, asset });
const status = () => statusOf(shop, payment);
const ledger = (asset?: string) => ledgerOf(db, payment, asset);
const events = () => eventTypesOf(db, payment);
const dispute = () => write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Nothing came'));

async function appealId(): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 ORDER BY closed_at DESC NULLS FIRST LIMIT 1',
    [payment.id],
  );
  return rows[0]!.id;
}

async function decide(how: Decision): Promise<void> {
  const id = await appealId();
  shop.clock.advance(1);
  await write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id }, decider));
}

describe('a payment that is not settled', () => {
  test('waits for the rest as if the transfer had not come, and its money is outside again', async () => {
    await railReports('a', 'final', half);
    await railReports('a', 'gone', half);
    expect(await status()).toBe('pending');
    expect(await ledger()).toEqual({});
    await railReports('b', 'final');
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual(settled);
  });

  test('stays in appeal with what is left', async () => {
    await write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, 'merchant'));
    await railReports('a', 'final', half);
    await railReports('b', 'final', half);
    await railReports('a', 'gone', half);
    expect(await status()).toBe('in-appeal paid_after_end');
    expect(await ledger()).toEqual({ external: -half, suspense: half });
  });

  test('loses a transfer of another currency without any move', async () => {
    await railReports('a', 'final');
    await railReports('pi', 'final', 7n, 'pi');
    await railReports('pi', 'gone', 7n, 'pi');
    expect(await status()).toBe('completed');
    expect(await ledger('pi')).toEqual({});
    expect(await ledger()).toEqual(settled);
  });
});

describe('a completed payment', () => {
  test('comes into appeal once, and all that was booked is reversed', async () => {
    await railReports('a', 'final');
    await Promise.all(Array.from({ length: 5 }, () => railReports('a', 'gone')));
    expect(await status()).toBe('in-appeal reorg');
    expect(await ledger()).toEqual({});
    expect(await events()).toEqual(['completed', 'in_appeal']);
    const reversals = await db.query('SELECT units FROM payment_reversals WHERE payment_id = $1', [
      payment.id,
    ]);
    expect(reversals.rows).toEqual([{ units: full }]);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('leaves what is left in suspense', async () => {
    await railReports('a', 'final', half);
    await railReports('b', 'final', half);
    await railReports('a', 'gone', half);
    expect(await status()).toBe('in-appeal reorg');
    expect(await ledger()).toEqual({ external: -half, suspense: half });
  });

  test('owes what the business has spent already', async () => {
    await railReports('a', 'final');
    await spend(shop, 9_000_000n);
    await railReports('a', 'gone');
    expect(await ledger()).toEqual({ business: 9_000_000n, receivable: -9_000_000n });
    await railReports('a', 'final');
    expect(await status()).toBe('completed covered_again');
    expect(await ledger()).toEqual(settled);
  });

  test('is completed again by itself when the transaction is mined again, in the same block or another', async () => {
    await railReports('a', 'final');
    for (const key of ['a', 'b']) {
      await railReports('a', 'gone');
      await railReports(key, 'seen');
      expect(await status()).toBe('in-appeal reorg');
      await railReports(key, 'final');
      expect(await status()).toBe('completed covered_again');
      expect(await ledger()).toEqual(settled);
    }
    expect(await events()).toEqual(['completed', 'in_appeal', 'appeal_closed', 'in_appeal', 'appeal_closed']);
    const { rows } = await db.query(
      'SELECT decision, decided_by FROM appeals WHERE payment_id = $1 ORDER BY opened_at',
      [payment.id],
    );
    expect(rows).toEqual(Array(2).fill({ decision: 'covered_again', decided_by: null }));
  });

  test('stays completed when only the overpayment is gone, and is settled with the rest', async () => {
    await railReports('a', 'final', full);
    await railReports('b', 'final', half);
    await railReports('a', 'gone', full);
    expect(await status()).toBe('in-appeal reorg');
    await railReports('c', 'final', full);
    expect(await ledger()).toMatchObject({ payable: half });
    await railReports('b', 'gone', half);
    expect(await status()).toBe('completed covered_again');
    expect(await ledger()).toEqual(settled);
  });
});

describe('an appeal because of a reorg', () => {
  beforeEach(async () => {
    await railReports('a', 'final', half);
    await railReports('b', 'final', half);
    await railReports('a', 'gone', half);
  });

  test('is accepted with the fee on what is left', async () => {
    await decide('accept');
    expect(await status()).toBe('completed accepted');
    expect(await ledger()).toEqual({ external: -half, business: 4_950_000n, fees: 50_000n });
    expect((await events()).at(-1)).toBe('appeal_closed');
  });

  test('refunds what is left', async () => {
    await decide('return');
    expect(await status()).toBe('cancelled returned');
    expect(await ledger()).toEqual({ external: -half, payable: half });
    expect((await events()).slice(-2)).toEqual(['appeal_closed', 'refund_created']);
  });

  test('fails when nothing is left, and nothing can be accepted', async () => {
    await railReports('b', 'gone', half);
    await expect(decide('accept')).rejects.toThrow('No money has come');
    await expect(decide('reject')).rejects.toThrow('Not possible for an appeal whose reason is reorg');
    await decide('return');
    expect(await status()).toBe('failed reorg');
    expect((await events()).at(-1)).toBe('appeal_closed');
  });

  test('waits while a transaction that was mined again is not final', async () => {
    await railReports('c', 'seen', half);
    await expect(decide('accept')).rejects.toThrow('not final yet');
    await expect(decide('return')).rejects.toThrow('not final yet');
  });
});

describe('a disputed payment', () => {
  beforeEach(async () => {
    await railReports('a', 'final', half);
    await railReports('b', 'final', half);
    await dispute();
    await railReports('a', 'gone', half);
  });

  test('stays disputed with what is left in suspense, until it is covered again', async () => {
    expect(await status()).toBe('in-appeal disputed');
    expect(await ledger()).toEqual({ external: -half, suspense: half });
    await railReports('c', 'final', half);
    expect(await status()).toBe('in-appeal disputed');
    expect(await ledger()).toEqual(settled);
  });

  test('completes with what is left when the dispute is rejected, as the preview says', async () => {
    const preview = await describeAppeal(
      db,
      { assets: shop.assets, explorers: new Map(), now: shop.deps.now },
      { scope: 'all', id: await appealId() },
    );
    expect(preview.decisions.reject!.left).toMatchObject({
      receives: [{ asset: 'usdc-erc20', amount: '4.95' }],
      fee: [{ asset: 'usdc-erc20', amount: '0.05' }],
    });
    await decide('reject');
    expect(await status()).toBe('completed dispute_rejected');
    expect(await ledger()).toEqual({ external: -half, business: 4_950_000n, fees: 50_000n });
  });

  test('cannot be rejected when nothing is left', async () => {
    await railReports('b', 'gone', half);
    await expect(decide('reject')).rejects.toThrow('No money has come');
  });
});

describe('money that was refunded', () => {
  beforeEach(async () => {
    await railReports('a', 'final');
    await dispute();
    await decide('return');
    expect(await ledger()).toEqual({ external: -full, payable: full });
  });

  test('is no longer owed when it leaves its chain before it was sent', async () => {
    await railReports('a', 'gone');
    expect(await status()).toBe('cancelled returned');
    expect(await ledger()).toEqual({});
    expect(await refundsOf(db, payment.id)).toMatchObject([{ status: 'cancelled', units: full }]);
  });

  test('counts for the payment when it comes back, and can be refunded again', async () => {
    await railReports('a', 'gone');
    await railReports('a', 'final');
    expect(await status()).toBe('in-appeal paid_after_end');
    await decide('return');
    expect(await ledger()).toEqual({ external: -full, payable: full });
    const refunds = await refundsOf(db, payment.id);
    expect(refunds.map(({ status }) => status)).toEqual(['cancelled', 'awaiting_destination']);
    expect(await auditFindings(db)).toEqual([]);
  });
});

test('payments of one business that are replaced, settled and spent at once leave its books right', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => shop.create()));
  const railReportsOf = (each: Payment, state: 'final' | 'gone') =>
    report(shop, each, { key: `${each.id} at once`, units: full, state });
  const replaced = all.slice(0, 6);
  for (const each of replaced) await railReportsOf(each, 'final');
  await Promise.all([
    ...replaced.map((each) => railReportsOf(each, 'gone')),
    ...all.slice(6).map((each) => railReportsOf(each, 'final')),
    ...[1n, 2n, 3n].map((part) => spend(shop, part * 1_000_000n).catch(() => {})),
  ]);
  await Promise.all(
    replaced.flatMap((each) => [
      railReportsOf(each, 'final'),
      railReportsOf(each, 'gone'),
      railReportsOf(each, 'final'),
    ]),
  );
  const statuses = await Promise.all(all.map((each) => statusOf(shop, each)));
  expect(statuses.every((each) => each.startsWith('completed') || each === 'in-appeal reorg')).toBe(true);
  const booked = await Promise.all(all.map((each) => ledgerOf(db, each)));
  booked.forEach((each, index) => {
    const kept = (each.business ?? 0n) + (each.receivable ?? 0n);
    const isCompleted = statuses[index]!.startsWith('completed');
    expect([each.external ?? 0n, kept]).toEqual(isCompleted ? [-full, 9_900_000n] : [0n, 0n]);
  });
  expect(await auditFindings(db)).toEqual([]);
});

test('what was really sent back is borne by the business, until the money comes again', async () => {
  shop = await openShop(db);
  payment = await shop.create();
  await railReports('a', 'final');
  await dispute();
  await decide('return');
  await sendRefunds(shop, payment);
  expect(await ledger()).toEqual({});
  await railReports('a', 'gone');
  expect(await ledger()).toEqual({ external: full, receivable: -full });
  await railReports('a', 'final');
  expect(await ledger()).toEqual({});
  expect((await paymentById(db, payment.id)).status).toBe('cancelled');
});
