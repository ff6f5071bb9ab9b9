import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedUser } from '../../test/support/fixtures.ts';
import {
  auditFindings,
  endedOrWaiting,
  eventTypesOf,
  ledgerOf,
  openShop,
  pass,
  report,
  type Shop,
  statusOf,
  write,
} from '../../test/support/payment-fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { balancesOf } from '../ledger/ledger.ts';
import { paymentErrors } from '../payments/payment/errors.ts';
import type { Payment } from '../payments/payment/payment.ts';
import { walletErrors } from './errors.ts';
import { type LimitedAction, setWalletLimit } from './limits.ts';
import { noticesOf } from './notices.ts';
import { payFromWallet, payInWallet } from './pay.ts';
import { type Shown, secondFactorShown } from './second-factor.ts';
import type { UserId } from './users.ts';

let shop: Shop;
let jane: UserId;
const { db } = await testDatabase();
beforeEach(async () => {
  shop = await openShop(db);
  jane = await seedUser(db, newId());
  await db.query('DELETE FROM wallet_limits');
});
afterAll(async () => {
  expect(await auditFindings(db)).toEqual([]);
});

const fill = (asset: string, units: bigint, mode: 'test' | 'live' = 'test') =>
  seedBalance(db, { kind: 'user', owner: jane, mode, asset, units });
const pay = (payment: Payment): Promise<Payment> =>
  write(shop, (tx) => payFromWallet(tx, shop.deps, payment.id, jane));

async function wallet(): Promise<Record<string, bigint>> {
  const balances = await balancesOf(db, { kind: 'user', owner: jane, mode: 'test' });
  return Object.fromEntries(balances.map(({ asset, available }) => [asset, available]));
}

const insufficient = { row: ledgerErrors.insufficient_balance };
const notPossible = { row: paymentErrors.not_possible };

test('a payment is paid, settled and reported in one commit', async () => {
  await fill('usdc-erc20', 12_000_000n);
  const payment = await shop.create();
  expect((await pay(payment)).status).toBe('completed');
  expect(await wallet()).toEqual({ 'usdc-erc20': 2_000_000n });
  expect(await ledgerOf(db, payment)).toEqual({ user: -10_000_000n, business: 9_900_000n, fees: 100_000n });
  expect(await eventTypesOf(db, payment)).toEqual(['linked', 'completed']);
});

test('a customer who bears the fee pays it from the wallet too', async () => {
  await fill('usdc-erc20', 10_100_000n);
  await pay(await shop.create({ fee_payer: 'customer' }));
  expect(await wallet()).toEqual({ 'usdc-erc20': 0n });
});

test('a wallet that holds too little is refused, and nothing has happened', async () => {
  await fill('usdc-erc20', 9_999_999n);
  await fill('usdt-erc20', 50_000_000n);
  await fill('usdc-erc20', 50_000_000n, 'live');
  const payment = await shop.create();
  await expect(pay(payment)).rejects.toMatchObject(insufficient);
  expect(await wallet()).toEqual({ 'usdc-erc20': 9_999_999n, 'usdt-erc20': 50_000_000n });
  expect(await statusOf(shop, payment)).toBe('unlinked');
  expect(await eventTypesOf(db, payment)).toEqual([]);
});

test('an empty wallet is refused', async () => {
  await expect(pay(await shop.create())).rejects.toMatchObject(insufficient);
});

describe('balances on several networks', () => {
  test('are used one after the other, the default network first', async () => {
    await fill('usdc-base', 5_000_000n);
    await fill('usdc-bep20', 7n * 10n ** 18n);
    await fill('usdc-erc20', 4_000_000n);
    const payment = await shop.create();
    expect((await pay(payment)).status).toBe('completed');
    expect(await wallet()).toEqual({ 'usdc-base': 0n, 'usdc-bep20': 6n * 10n ** 18n, 'usdc-erc20': 0n });
  });

  test('that differ in their decimals come to exactly what is due', async () => {
    await fill('usdc-bep20', 10n * 10n ** 18n - 1n);
    await fill('usdc-polygon', 5n);
    expect((await pay(await shop.create())).status).toBe('completed');
    expect(await wallet()).toEqual({ 'usdc-bep20': 0n, 'usdc-polygon': 4n });
  });
});

describe('a payment that takes no money', () => {
  test('because it is completed leaves the wallet alone', async () => {
    await fill('usdc-erc20', 30_000_000n);
    const payment = await shop.create();
    await pay(payment);
    await expect(pay(payment)).rejects.toMatchObject(notPossible);
    expect(await wallet()).toEqual({ 'usdc-erc20': 20_000_000n });
  });

  test('because money for it is on its way leaves the wallet alone', async () => {
    await fill('usdc-erc20', 30_000_000n);
    const payment = await shop.create();
    await report(shop, payment, { key: newId(), units: 4_000_000n, state: 'seen' });
    await expect(pay(payment)).rejects.toMatchObject(notPossible);
    expect(await wallet()).toEqual({ 'usdc-erc20': 30_000_000n });
  });

  test('because its deadline has passed leaves the wallet alone, seen by a worker or not', async () => {
    await fill('usdc-erc20', 30_000_000n);
    const payment = await shop.create();
    shop.clock.advance(601);
    await expect(pay(payment)).rejects.toMatchObject(notPossible);
    await pass(shop, 1);
    expect(await statusOf(shop, payment)).toBe('cancelled abandoned');
    await expect(pay(payment)).rejects.toMatchObject(notPossible);
    expect(await wallet()).toEqual({ 'usdc-erc20': 30_000_000n });
  });
});

describe('who may pay', () => {
  const payIn = (payment: Payment, proof: Shown) =>
    write(shop, (tx) => payInWallet(tx, shop.deps, payment.id, { userId: jane, proof }));
  const proof = () => secondFactorShown(jane, shop.clock.now());
  const limit = (action: LimitedAction, units: bigint) =>
    transaction(db, (tx) =>
      setWalletLimit(tx, { level: 0, action, asset: 'usdc-erc20', units }, shop.clock.now()),
    );
  const inWallet = { row: walletErrors.pay_in_wallet };
  beforeEach(() => fill('usdc-erc20', 50_000_000n));

  test('a user is told what was paid to whom', async () => {
    await pay(await shop.create());
    const [notice] = await noticesOf(db, jane, 'test', { before: null, limit: 1 });
    expect(notice).toMatchObject({ kind: 'paid', units: 10_000_000n, other: 'Corner shop' });
  });

  test('with a second factor a password alone does not pay: the wallet does', async () => {
    await db.query(`INSERT INTO user_factors (user_id, secret, created_at) VALUES ($1, '', now())`, [jane]);
    await pay(await shop.create());
    await db.query('UPDATE user_factors SET confirmed_at = now() WHERE user_id = $1', [jane]);
    const payment = await shop.create();
    await expect(pay(payment)).rejects.toMatchObject(inWallet);
    expect(await wallet()).toEqual({ 'usdc-erc20': 40_000_000n });
    expect((await payIn(payment, null)).status).toBe('completed');
  });

  test('a frozen wallet pays nothing, and the page leads to the wallet, which says why', async () => {
    await db.query(`UPDATE users SET frozen_at = now(), frozen_why = 'asked' WHERE id = $1`, [jane]);
    const payment = await shop.create();
    await expect(pay(payment)).rejects.toMatchObject(inWallet);
    await expect(payIn(payment, proof())).rejects.toMatchObject({ row: walletErrors.wallet_frozen });
    expect(await wallet()).toEqual({ 'usdc-erc20': 50_000_000n });
    expect(await statusOf(shop, payment)).toBe('unlinked');
  });

  test('the daily limit of a level holds with a second factor too, and begins anew at midnight UTC', async () => {
    await limit('pay', 15_000_000n);
    await pay(await shop.create());
    const payment = await shop.create();
    await expect(pay(payment)).rejects.toMatchObject(inWallet);
    await expect(payIn(payment, proof())).rejects.toThrow('You may pay 15 USDC a day; 5 is left');
    shop.clock.advance(24 * 3600);
    await pay(await shop.create());
    expect(await wallet()).toEqual({ 'usdc-erc20': 30_000_000n });
  });

  test('above what may be paid without a second factor the wallet asks for it', async () => {
    await limit('pay_unproved', 15_000_000n);
    await payIn(await shop.create(), null);
    const payment = await shop.create();
    await expect(pay(payment)).rejects.toMatchObject(inWallet);
    await expect(payIn(payment, null)).rejects.toMatchObject({ row: walletErrors.second_factor_required });
    await payIn(payment, proof());
    expect(await wallet()).toEqual({ 'usdc-erc20': 30_000_000n });
  });
});

describe('at once', () => {
  test('one payment is paid once, however often its button is pressed', async () => {
    await fill('usdc-erc20', 100_000_000n);
    const payment = await shop.create();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => pay(payment)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await wallet()).toEqual({ 'usdc-erc20': 90_000_000n });
  });

  test('two payments from a wallet that holds enough for one: one is paid, the other refused', async () => {
    await fill('usdc-erc20', 15_000_000n);
    const [one, other] = [await shop.create(), await shop.create()];
    const paid = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const first = transaction(db, async (tx) => {
      const payment = await payFromWallet(tx, shop.deps, one.id, jane);
      paid.resolve();
      await commit.promise;
      return payment;
    });
    await paid.promise;
    // It has read the balance as it was before the first one's commit.
    const second = pay(other);
    const refused = expect(second).rejects.toMatchObject(insufficient);
    await endedOrWaiting(
      db,
      second.catch(() => {}),
    );
    commit.resolve();
    expect((await first).status).toBe('completed');
    await refused;
    expect(await wallet()).toEqual({ 'usdc-erc20': 5_000_000n });
    expect(await statusOf(shop, other)).toBe('unlinked');
  });
});
