import { beforeEach, describe, expect, test } from 'vitest';
import { askPrice, setEuroRate } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  eventTypesOf,
  openShop,
  paymentById,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { joinRails } from '../../rails/join.ts';
import type { Rail } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { quotesOf } from '../prices/quotes.ts';
import { simulate } from '../simulate/simulate.ts';
import { linkPayment, type MethodChoice } from './act.ts';

const { db } = await testDatabase();

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
const quotes = async () => (await quotesOf(db, [await now()])).map(({ quote }) => quote);

const setRate = (currency: string, rate: string) => setEuroRate(shop, currency, rate);

const usdc = 12_500_000n;

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
  const opened: [string, string][] = [];
  const openFor: Rail['openFor'] = async (_, { id }, asset) => opened.push([id, asset]) > 0;
  const rail: Rail = { ...joinRails([]), openFor };
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

  test('an open payment has no address before the choice, and those of what is chosen from then on', async () => {
    expect(opened).toEqual([]);
    await choose('usdc-erc20');
    await choose('pi');
    await choose({ method: 'wallet', currency: 'PI' });
    expect(opened).toEqual([
      [payment.id, 'usdc-erc20'],
      [payment.id, 'pi'],
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
