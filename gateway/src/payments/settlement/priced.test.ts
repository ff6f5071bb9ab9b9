import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventsOf,
  eventTypesOf,
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
import { joinRails } from '../../rails/join.ts';
import type { Opening, Rail } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { quotesOf } from '../prices/quotes.ts';
import { simulate } from '../simulate/simulate.ts';
import { linkPayment, type MethodChoice } from './act.ts';

const { db } = await testDatabase();
const day = 86_400;

let shop: Shop;
let payment: Payment;

/** A payment of a price, 12.50 in every currency at the test rates. */
const open = (fields: Record<string, unknown> = {}) =>
  shop.create({
    amount: undefined,
    currency: undefined,
    price: { amount: 10, currency: 'EUR' },
    ...fields,
  });

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
const quotes = async () => (await quotesOf(db, [payment.id])).map(({ quote }) => quote);

/** Sets the rate of a pair in test mode. */
const setRate = (currency: string, rate: string) =>
  db.query(
    `INSERT INTO test_rates VALUES ($1, $2, 'EUR', $3)
     ON CONFLICT (integration_id, currency, price_currency) DO UPDATE SET rate = excluded.rate`,
    [shop.owner.integrationId, currency, rate],
  );

const usdc = 12_500_000n;
const pi = 125_000_000n;

describe('the choice', () => {
  test('quotes its currency and links the payment', async () => {
    await choose('usdc-bep20');
    expect(await now()).toMatchObject({
      ...{ status: 'linked', method: 'usdc-bep20', currency: 'USDC', amountDue: usdc },
      rate: 800_000_000_000n,
    });
    expect(await quotes()).toMatchObject([{ currency: 'USDC', amount: usdc, at: shop.clock.now() }]);
    expect(await eventTypesOf(db, payment)).toEqual(['linked']);
  });

  test('made again finds the same quote, whatever the rate is by then', async () => {
    await choose('usdc-erc20');
    await setRate('USDC', '0.5');
    await setRate('PI', '2');
    await choose('pi');
    expect(await now()).toMatchObject({ currency: 'PI', amount: 50_000_000n, rate: 2_000_000_000_000n });
    await choose('usdc-base');
    expect(await now()).toMatchObject({ currency: 'USDC', amount: usdc, rate: 800_000_000_000n });
    expect(await quotes()).toHaveLength(2);
  });

  test('starts the time of the quotes once: a second currency has what is left of it', async () => {
    const start = shop.clock.now().getTime();
    shop.clock.advance(100);
    await choose('usdc-erc20');
    shop.clock.advance(300);
    await choose('pi');
    expect((await now()).deadline.getTime()).toBe(start + 700_000);
  });

  test('of a payment that was quoted when it was made starts nothing anew', async () => {
    payment = await open({ currency: 'USDC' });
    shop.clock.advance(100);
    await choose('usdc-erc20');
    expect((await now()).deadline).toEqual(payment.deadline);
    await expect(choose('pi')).rejects.toThrow('Not possible while the payment is linked');
  });

  test('is refused for a currency that the merchant did not name', async () => {
    payment = await open({ currencies: ['PI'] });
    await expect(choose('usdc-erc20')).rejects.toThrow('Not possible while the payment is unlinked');
    await choose('pi');
  });

  test('of the wallet says in which currency; without one it is refused while the payment is open', async () => {
    await expect(choose('wallet')).rejects.toThrow('Not possible while the payment is unlinked');
    await choose({ method: 'wallet', currency: 'PI' });
    expect(await now()).toMatchObject({ method: 'wallet', currency: 'PI' });
    await choose('wallet');
    expect(await now()).toMatchObject({ method: 'wallet', currency: 'PI' });
  });

  test('made twenty times at once in two currencies makes one quote for each', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => choose(index % 2 === 0 ? 'pi' : 'usdc-erc20')),
    );
    expect((await quotes()).map(({ currency }) => currency).sort()).toEqual(['PI', 'USDC']);
    expect(await eventTypesOf(db, payment)).toEqual(['linked']);
  });

  test('is rolled back with its quote', async () => {
    const undone = write(shop, async (tx) => {
      await linkPayment(tx, shop.deps, payment.id, 'pi');
      throw new Error('the connection broke');
    });
    await expect(undone).rejects.toThrow('the connection broke');
    expect(await now()).toEqual(payment);
    expect(await quotes()).toEqual([]);
  });
});

describe('in live mode', () => {
  const opened: Opening[] = [];
  const rail: Rail = { ...joinRails([]), open: async (_, payments) => void opened.push(...payments) };
  const type = (currency: string, rate: string | null) =>
    rate === null
      ? db.query('DELETE FROM typed_rates WHERE currency = $1', [currency])
      : db.query(
          `INSERT INTO typed_rates VALUES ($1, 'EUR', $2, $3, $3::timestamptz + interval '20 days')
           ON CONFLICT (currency, price_currency) DO UPDATE SET rate = excluded.rate`,
          [currency, rate, shop.clock.now()],
        );

  beforeEach(async () => {
    opened.length = 0;
    shop = await openShop(db, { approved: true }, { mode: 'live', rail });
    await type('USDC', '0.8');
    await type('PI', '0.8');
    payment = await open();
  });

  test('an open payment has no address before the choice, and gets one once for each currency', async () => {
    expect(opened).toEqual([]);
    await choose('usdc-erc20');
    await choose('pi');
    await choose('usdc-erc20');
    const { id } = payment;
    expect(opened).toEqual([
      { id, currency: 'USDC', isLater: true },
      { id, currency: 'PI', isLater: true },
    ]);
  });

  test('a currency that lost its rate is refused with 503, and the payment stays as it is', async () => {
    await type('PI', null);
    await expect(choose('pi')).rejects.toMatchObject({
      message: 'No rate for PI in EUR',
      row: { status: 503 },
    });
    expect(await now()).toEqual(payment);
    await choose('usdc-erc20');
    await type('USDC', null);
    // Its quote was made.
    await choose('usdc-base');
    expect(await status()).toBe('linked');
  });
});

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

describe('simulating an open payment', () => {
  const play = (...outcomes: ('success' | 'late' | 'failure')[]) =>
    write(shop, (tx) => simulate(tx, shop.deps, payment.id, { outcomes }));

  test('first chooses USDC, or the first that the merchant named', async () => {
    await play('success');
    expect(await now()).toMatchObject({ status: 'completed', currency: 'USDC' });
    payment = await open({ currencies: ['CSK', 'USDC'] });
    await play('failure');
    expect(await now()).toMatchObject({ status: 'failed', currency: 'CSK' });
    expect(await eventTypesOf(db, payment)).toEqual(['linked', 'failed']);
  });

  test('changes nothing where it is refused', async () => {
    await expect(play('failure', 'late')).rejects.toThrow();
    expect(await now()).toEqual(payment);
  });
});
