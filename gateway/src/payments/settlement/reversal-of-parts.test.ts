import { beforeEach, expect, test } from 'vitest';
import { sendRefunds } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  eventTypesOf,
  ledgerOf,
  openShop,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { acceptAppeal, returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from './act.ts';
import { refundsOf } from './refund-rows.ts';

// What happens to the rest of the money when a part of it leaves its chain after it was final.

const full = 10_000_000n;
const half = 5_000_000n;
const settled = { external: -full, business: 9_900_000n, fees: 100_000n };
const decider = { accountId: newId(), as: 'operator', note: null } as const;

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});

const railReports = (key: string, state: 'final' | 'gone', units = full) =>
  report(shop, payment, { key: `${payment.id} ${key}`, units, state });
const status = () => statusOf(shop, payment);
const ledger = () => ledgerOf(db, payment);
const events = () => eventTypesOf(db, payment);
const dispute = () => write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Nothing came'));
async function decide(how: 'accept' | 'return'): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 ORDER BY closed_at DESC NULLS FIRST LIMIT 1',
    [payment.id],
  );
  const act = how === 'accept' ? acceptAppeal : returnAppeal;
  shop.clock.advance(1);
  await write(shop, (tx) => act(tx, shop.deps, { scope: 'all', id: rows[0]!.id }, decider));
}

test('a completed payment that the rest still covers stays completed, without an appeal', async () => {
  await railReports('a', 'final');
  await railReports('b', 'final', half);
  await railReports('b', 'gone', half);
  expect(await status()).toBe('completed');
  expect(await ledger()).toEqual(settled);
  expect(await events()).toEqual(['completed']);
});

test('of money that is owed, what stays on its chain is still owed when a part leaves', async () => {
  await railReports('a', 'final', half);
  await railReports('b', 'final', half);
  await dispute();
  await decide('return');
  // Refunds are listed by when they were made.
  shop.clock.advance(1);
  await railReports('a', 'gone', half);
  expect(await ledger()).toEqual({ external: -half, payable: half });
  const refunds = await refundsOf(db, payment.id);
  expect(refunds.map(({ status, units }) => [status, units])).toEqual([
    ['cancelled', full],
    ['awaiting_destination', half],
  ]);
});

test('money that is owed and leaves its chain is not taken from what was paid since', async () => {
  await railReports('a', 'final');
  await dispute();
  await decide('return');
  await railReports('b', 'final');
  await decide('accept');
  expect(await ledger()).toEqual({ ...settled, external: -2n * full, payable: full });
  await railReports('a', 'gone');
  expect(await ledger()).toEqual(settled);
});

test('where a part of what was refunded comes again, the business has no more back than that part', async () => {
  await railReports('a', 'final', half);
  await railReports('b', 'final', half);
  await dispute();
  await decide('return');
  await sendRefunds(shop, payment);
  await railReports('a', 'gone', half);
  await railReports('b', 'gone', half);
  expect(await ledger()).toEqual({ external: full, receivable: -full });
  await railReports('a', 'final', half);
  expect(await ledger()).toEqual({ external: half, receivable: -half });
});
