import { beforeEach, describe, expect, test } from 'vitest';
import { askPrice, setEuroRate } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventsOf,
  ledgerOf,
  openShop,
  pass,
  paymentById,
  report,
  type Seen,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { Payment } from '../payment/payment.ts';
import { linkPayment, type MethodChoice } from './act.ts';

const { db } = await testDatabase();
const day = 86_400;

let shop: Shop;
let payment: Payment;

const open = (fields: Record<string, unknown> = {}) => askPrice(shop, fields);

beforeEach(async () => {
  shop = await openShop(db);
  payment = await open();
});

const now = () => paymentById(db, payment.id);
const status = () => statusOf(shop, payment);
const choose = (choice: string | MethodChoice) =>
  write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, choice));
const pay = (asset: string, units: bigint, more: Partial<Seen> = {}) =>
  report(shop, payment, { key: `${payment.id} ${asset} ${units}`, units, asset, ...more });

const setRate = (currency: string, rate: string) => setEuroRate(shop, currency, rate);

const usdc = 12_500_000n;
const pi = 125_000_000n;

describe('money', () => {
  test('completes the payment by the quote of its currency, and the event says both amounts', async () => {
    await choose('usdc-erc20');
    await pay('usdc-bep20', usdc * 10n ** 12n);
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment, 'usdc-bep20')).toMatchObject({
      business: 12_375_000n * 10n ** 12n,
      fees: 125_000n * 10n ** 12n,
    });
    const [linked, completed] = await eventsOf(db, payment);
    expect(linked?.body).toMatchObject({ paid_asset: 'usdc-erc20', paid_amount: '12.5' });
    expect(completed?.body).toMatchObject({ currency: 'EUR', amount: 10, service_fee: 0.1 });
    expect(Object.entries(completed!.body).slice(-4)).toEqual([
      ['paid_asset', 'usdc-bep20'],
      ['paid_amount', '12.5'],
      ['paid_fee', '0.125'],
      ['rate', '0.8'],
    ]);
  });

  test('in an earlier choice fixes that currency: the quote of the later one no longer counts', async () => {
    await choose('usdc-erc20');
    await setRate('PI', '0.1');
    await choose('pi');
    await pay('usdc-erc20', usdc, { state: 'seen' });
    expect(await now()).toMatchObject({
      ...{ status: 'pending', currency: 'USDC', amountDue: usdc },
      ...{ method: 'usdc-erc20', rate: 800_000_000_000n },
    });
    await expect(choose('pi')).rejects.toThrow('Not possible while the payment is pending');
    await pay('usdc-erc20', usdc);
    expect(await status()).toBe('completed');
  });

  test('in both currencies counts in the first, and waits for a refund in the other', async () => {
    await choose('usdc-erc20');
    await choose('pi');
    await pay('usdc-erc20', usdc / 2n);
    await pay('pi', pi);
    expect(await now()).toMatchObject({ status: 'pending', currency: 'USDC' });
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ external: -pi, suspense: pi });
    await pay('usdc-erc20', usdc / 2n + 1n);
    expect(await status()).toBe('completed');
    expect(await ledgerOf(db, payment)).toMatchObject({ payable: 1n });
    expect(await ledgerOf(db, payment, 'pi')).toEqual({ external: -pi, suspense: pi });
  });

  test('below a thousandth fixes nothing', async () => {
    await choose('usdc-erc20');
    await choose('pi');
    await pay('usdc-erc20', usdc / 1000n - 1n);
    expect(await now()).toMatchObject({ status: 'linked', currency: 'PI' });
    await pay('usdc-erc20', usdc / 1000n);
    expect(await now()).toMatchObject({ status: 'pending', currency: 'USDC' });
  });

  test('in a currency that was not quoted pays nothing', async () => {
    await choose('usdc-erc20');
    await pay('usdt-erc20', usdc);
    expect(await now()).toMatchObject({ status: 'linked', currency: 'USDC' });
  });

  test('that left its chain has fixed the currency', async () => {
    await choose('usdc-erc20');
    await choose('pi');
    await pay('usdc-erc20', usdc, { state: 'seen' });
    await pay('usdc-erc20', usdc, { state: 'gone' });
    await pay('pi', pi);
    expect(await now()).toMatchObject({ status: 'pending', currency: 'USDC' });
    await pay('usdc-erc20', usdc);
    expect(await status()).toBe('completed');
    expect(await auditFindings(db)).toEqual([]);
  });

  test('that is taken back after the settlement brings the payment to appeal, by the same quote', async () => {
    await choose('usdc-erc20');
    await choose('pi');
    await pay('usdc-erc20', usdc);
    await pay('usdc-erc20', usdc, { state: 'gone' });
    expect(await status()).toBe('in-appeal reorg');
    await pay('pi', pi);
    expect(await now()).toMatchObject({ status: 'in-appeal', currency: 'USDC' });
    await pay('usdc-erc20', usdc);
    expect(await status()).toBe('completed covered_again');
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('late money', () => {
  test.each([
    ['usdc-erc20', usdc, 'completed'],
    ['usdt-erc20', usdc, 'completed'],
    ['pi', pi, 'in-appeal paid_after_end'],
    ['csk-bep20', usdc * 10n ** 12n, 'in-appeal paid_after_end'],
  ])('in %s leaves the payment %s', async (asset, units, end) => {
    await choose(asset);
    await pass(shop, 700);
    expect(await status()).toBe('cancelled abandoned');
    await pay(asset, units);
    expect(await status()).toBe(end);
  });

  test('is judged by its own currency, not by the one that was chosen last', async () => {
    await choose('usdc-erc20');
    await choose('pi');
    await pass(shop, 700);
    expect((await now()).lateUntil).toBeNull();
    await pay('usdc-erc20', usdc);
    expect(await status()).toBe('completed');

    payment = await open();
    await choose('pi');
    await choose('usdc-erc20');
    await pass(shop, 700);
    expect((await now()).lateUntil).not.toBeNull();
    await pay('pi', pi);
    expect(await now()).toMatchObject({ status: 'in-appeal', currency: 'PI', lateUntil: null });
  });

  test('of an open payment that nobody chose for can only end it', async () => {
    await pass(shop, 700);
    expect(await now()).toMatchObject({ status: 'cancelled', currency: null, lateUntil: null });
    await pass(shop, day);
    const [abandoned] = await eventsOf(db, payment);
    expect(abandoned?.body).toMatchObject({
      ...{ currency: 'EUR', amount: 10, service_fee: 0 },
      ...{ paid_asset: '', paid_amount: '', paid_fee: '', rate: '' },
    });
  });
});
