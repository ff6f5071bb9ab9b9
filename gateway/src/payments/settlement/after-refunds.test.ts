import { beforeEach, expect, test } from 'vitest';
import { claim, playRefund, testAddress } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  ledgerOf,
  openShop,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import type { Payment } from '../payment/payment.ts';
import { orderRefund } from '../refunds/order.ts';

// What is settled anew when a transfer leaves its chain after some of the payment was refunded.

const full = 10_000_000n;
const half = 5_000_000n;
const one = 1_000_000n;
const oneOfBsc = 10n ** 18n;

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
  const business = { kind: 'business', owner: shop.owner.integrationId } as const;
  await seedBalance(db, { ...business, mode: 'test', asset: 'usdc-erc20', units: 10n * full });
});

const railReports = (key: string, state: 'final' | 'gone', units = full, asset = 'usdc-erc20') =>
  report(shop, payment, { key: `${payment.id} ${key}`, units, state, asset });
const ledger = (asset?: string) => ledgerOf(db, payment, asset);

/** The merchant refunds all that there is of the payment. */
async function refundAll(): Promise<void> {
  const wanted = { asset: null, units: null, destination: { to: testAddress, memo: null }, reason: null };
  const requester = { accountId: null, name: 'key', limits: null };
  const order = { wanted, requester, ownTime: shop.clock.now() };
  const refund = await write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, order));
  await playRefund(shop, refund, 'sent');
}

test('a refund in one asset takes nothing of the overpayment in another', async () => {
  await railReports('a', 'final');
  await railReports('b', 'final', 2n * one);
  await railReports('c', 'final', 3n * oneOfBsc, 'usdc-bep20');
  await railReports('d', 'final', oneOfBsc, 'usdc-bep20');
  await playRefund(shop, await claim(shop, payment, { asset: 'usdc-erc20' }), 'sent');
  await railReports('d', 'gone', oneOfBsc, 'usdc-bep20');
  expect(await statusOf(shop, payment)).toBe('completed');
  expect(await ledger('usdc-bep20')).toEqual({ external: -3n * oneOfBsc, payable: 3n * oneOfBsc });
  expect(await ledger()).toEqual({ external: -full, business: 9_900_000n, fees: 100_000n });
});

test('an overpayment that was refunded is not owed again', async () => {
  await railReports('a', 'final');
  await railReports('b', 'final', 2n * one);
  await playRefund(shop, await claim(shop, payment), 'sent');
  await railReports('c', 'final', half);
  await railReports('c', 'gone', half);
  expect(await ledger()).toEqual({ external: -full, business: 9_900_000n, fees: 100_000n });
});

test('a business that bore more than is left gets no more than that, and no money of another payment', async () => {
  const other = await shop.create();
  await report(shop, other, { key: `${other.id} part`, units: half });
  await railReports('a', 'final');
  await railReports('b', 'final', half);
  await refundAll();
  await railReports('c', 'final', one);
  await railReports('b', 'gone', half);
  const borne = half + full + 100_000n;
  expect(await ledger()).toEqual({ external: half - one, business: one + full - borne, fees: 100_000n });
  await railReports('c', 'gone', one);
  expect(await ledger()).toEqual({ external: half, business: full - borne, fees: 100_000n });
  const suspense = { kind: 'suspense', owner: shop.owner.integrationId, mode: 'test' } as const;
  expect(await balancesOf(db, suspense)).toMatchObject([{ asset: 'usdc-erc20', available: half }]);
  expect(await auditFindings(db)).toEqual([]);
});
