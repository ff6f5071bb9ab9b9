import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, payUrl, type Shop } from '../../../test/support/payment-fixtures.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Currency } from '../../money/assets.ts';
import { joinRails } from '../../rails/join.ts';
import { builtinTerms, type TermsOf } from '../payment/currency-terms.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import { quotesOf } from '../prices/quotes.ts';
import { createPaymentCreator } from './create.ts';
import { readCreateBody } from './schema.ts';

const { db } = await testDatabase();

let own: Shop;
let live: Shop;
beforeAll(async () => {
  own = await openShop(db);
  live = await openShop(db, { approved: true }, { mode: 'live' });
});
beforeEach(async () => {
  await db.query('DELETE FROM typed_rates; DELETE FROM test_rates');
});

type More = { shop?: Shop; termsOf?: TermsOf; offered?: Currency[] };

async function create(fields: Record<string, unknown>, { shop = own, ...more }: More = {}) {
  const { caller, clock } = shop;
  const rail = joinRails([]);
  const deps = { db, now: clock.now, rates: () => '1', payUrl, rail, ...more };
  const body = readCreateBody({ payment_type: 'deposit', ...fields });
  const answer = await createPaymentCreator(deps)(caller, body, null);
  const { PaymentData } = JSON.parse(answer.body).data;
  const { rows } = await db.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [PaymentData.id]);
  const payment = paymentOf(rows[0]!);
  const quotes = (await quotesOf(db, [payment])).map(({ quote }) => quote);
  return { data: PaymentData, payment, quotes };
}

/** What creating is refused with. */
async function refusal(fields: Record<string, unknown>, more: More = {}): Promise<string> {
  const error = await create(fields, more).catch((fault: unknown) => fault);
  if (!(error instanceof Refusal)) throw error;
  return `${error.row.status} ${error.message}`;
}

/** A rate that an operator typed. */
async function type(currency: string, priceCurrency: string, rate: string): Promise<void> {
  const now = live.clock.now();
  await db.query('INSERT INTO typed_rates VALUES ($1, $2, $3, $4, $5)', [
    ...[currency, priceCurrency, rate, now],
    new Date(now.getTime() + 86_400_000),
  ]);
}

const price = (amount: unknown, currency = 'EUR') => ({ amount, currency });

describe('a price with a currency', () => {
  test('is answered as it was asked, and quoted at once', async () => {
    const { data, payment, quotes } = await create({ price: price(49.9), currency: 'USDC' });
    expect(data).toMatchObject({ amount: 49.9, currency: 'EUR', payment_status: 'unlinked' });
    expect(payment).toMatchObject({
      price: { amount: 4990n, currency: 'EUR' },
      ...{ currency: 'USDC', amount: 62_380_000n, fee: 623_800n, amountDue: 62_380_000n },
      rate: 800_000_000_000n,
      choices: null,
    });
    expect(quotes).toEqual([
      {
        ...{ currency: 'USDC', amount: 62_380_000n, fee: 623_800n, amountDue: 62_380_000n },
        ...{ tolerance: 0n, rate: 800_000_000_000n },
        at: own.clock.now(),
        sources: [{ name: 'test', rate: '0.8', at: own.clock.now().toISOString() }],
      },
    ]);
  });

  test('takes a decimal string, and currencies of no or three minor digits', async () => {
    expect((await create({ price: price('1000', 'JPY'), currency: 'USDC' })).data.amount).toBe(1000);
    const { data, payment } = await create({ price: price('1.234', 'KWD'), currency: 'PI' });
    expect(data).toMatchObject({ amount: 1.234, currency: 'KWD' });
    expect(payment).toMatchObject({ price: { amount: 1234n }, amount: 12_340_000n });
  });

  test('has the deadline of quotes in live mode', async () => {
    await type('USDC', 'EUR', '0.9');
    const { payment } = await create({ price: price(10), currency: 'USDC' }, { shop: live });
    const seconds = (payment.deadline.getTime() - payment.createdAt.getTime()) / 1000;
    expect([seconds, payment.deadlineSeconds]).toEqual([900, 900]);
  });
});

describe('a price without a currency', () => {
  test('is open: nothing is to be paid yet', async () => {
    const { data, payment, quotes } = await create({ price: price(49.9) });
    expect(data).toMatchObject({ amount: 49.9, currency: 'EUR' });
    expect(payment).toMatchObject({ currency: null, amount: null, fee: null, amountDue: null, rate: null });
    expect(payment.choices).toEqual(['USDC', 'PI', 'USDT', 'CSK']);
    expect(quotes).toEqual([]);
  });

  test('is paid in what the merchant names, in that order', async () => {
    const { payment } = await create({ price: price(49.9), currencies: ['PI', 'USDC'] });
    expect(payment.choices).toEqual(['PI', 'USDC']);
  });

  test('leaves out the currencies whose minimum it does not meet', async () => {
    const { payment } = await create({ price: price(2) });
    expect(payment.choices).toEqual(['USDC', 'PI']);
  });

  test('leaves out what has no rate, and what the networks do not take', async () => {
    await type('USDC', 'EUR', '0.9');
    await type('PI', 'EUR', '0.2');
    const named = (offered: Currency[]) => create({ price: price(10) }, { shop: live, offered });
    expect((await named(['USDC', 'USDT', 'PI'])).payment.choices).toEqual(['USDC', 'PI']);
    expect((await named(['PI', 'CSK'])).payment.choices).toEqual(['PI']);
  });

  test('has its first deadline until the choice, and then that of quotes', async () => {
    await type('USDC', 'EUR', '0.9');
    const { payment } = await create({ price: price(10) }, { shop: live });
    const seconds = (payment.deadline.getTime() - payment.createdAt.getTime()) / 1000;
    expect([seconds, payment.deadlineSeconds]).toEqual([3600, 900]);
  });
});

describe('is refused', () => {
  test.each([
    [{ amount: 10, price: price(10) }, 'amount is invalid: leave it out where price is given'],
    [{ price: {} }, 'price.amount must be a positive number'],
    [{ price: price(0) }, 'price.amount must be a positive number'],
    [{ price: price('-1') }, 'price.amount must be a positive number'],
    [{ price: price('1e3') }, 'price.amount must be a positive number'],
    [{ price: price('') }, 'price.amount must be a positive number'],
    [{ price: price(10.005) }, 'price.amount has too many decimals for EUR'],
    [{ price: price('10.5', 'JPY') }, 'price.amount has too many decimals for JPY'],
    [{ price: price('1.2345', 'KWD') }, 'price.amount has too many decimals for KWD'],
    [{ price: price('1.00000000000000001') }, 'price.amount has too many decimals for EUR'],
    [
      { price: price('1234567890123456') },
      'price.amount is invalid: must have at most 15 significant digits',
    ],
    [{ price: price(10, 'eur') }, 'price.currency is not supported'],
    [{ price: price(10, 'XAU') }, 'price.currency is not supported'],
    [{ price: { amount: 10 } }, 'price.currency is not supported'],
    [{ price: 'EUR 10' }, 'price is invalid: must be an object with amount and currency'],
    [{ price: price(10), currency: 'EUR' }, 'Currency not supported'],
    [
      { price: price(10), currency: 'USDC', currencies: ['PI'] },
      'currencies is invalid: leave it out where currency is given',
    ],
    [
      { price: price(10), currencies: [] },
      'currencies is invalid: must be a list of some of PI, USDC, USDT, CSK',
    ],
    [
      { price: price(10), currencies: ['EUR'] },
      'currencies is invalid: must be a list of some of PI, USDC, USDT, CSK',
    ],
    [{ price: price(10), currencies: ['PI', 'PI'] }, 'currencies is invalid: must name each only once'],
    [{ price: price(0.79), currency: 'USDC' }, 'amount is below the minimum of 1.00 USD for USDC'],
    [{ price: price(0.79) }, 'amount is below the minimum of 1.00 USD for PI'],
    [{ price: price(0.79), currencies: ['CSK', 'USDT'] }, 'amount is below the minimum of 5.00 USD for USDT'],
    [{}, 'amount must be a positive number'],
    [{ amount: 10 }, 'Currency is required'],
  ])('%j: %s', async (fields, message) => {
    expect(await refusal(fields)).toBe(`400 ${message}`);
  });

  test('a currency that is not offered', async () => {
    const termsOf: TermsOf = (currency) => ({ ...builtinTerms(currency), offered: currency !== 'PI' });
    const of = (fields: Record<string, unknown>) => refusal({ price: price(10), ...fields }, { termsOf });
    expect(await of({ currency: 'PI' })).toBe('400 Currency not supported');
    expect(await of({ currencies: ['USDC', 'PI'] })).toBe('400 currencies is invalid: PI is not supported');
    expect((await create({ price: price(10) }, { termsOf })).payment.choices).not.toContain('PI');
  });

  test('what no rate quotes: with 503, before the minimum', async () => {
    const of = (fields: Record<string, unknown>) => refusal({ price: price(0.1), ...fields }, { shop: live });
    expect(await of({ currency: 'CSK' })).toBe('503 No rate for CSK in EUR');
    expect(await of({})).toBe('503 No rate for EUR');
    expect(await of({ currencies: ['PI', 'CSK'] })).toBe('503 No rate for EUR');
    const error = await create({ price: price(10) }, { shop: live }).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ headers: { 'retry-after': '60' } });
    await type('USDC', 'EUR', '0.9');
    expect(await of({ currency: 'USDC' })).toBe('400 amount is below the minimum of 1.00 USD for USDC');
  });
});

test('currencies without a price is a field that nobody knows', async () => {
  const { payment } = await create({ amount: 10, currency: 'USDC', currencies: 'any' });
  expect(payment).toMatchObject({ price: null, choices: null, currency: 'USDC', rate: null });
});

test('prices that come together are judged each by itself', async () => {
  const outcomes = await Promise.all([
    create({ price: price(10), currency: 'USDC' }).then(({ payment }) => payment.amount),
    refusal({ price: price(0.1), currency: 'USDC' }),
    create({ amount: 3, currency: 'USDC' }).then(({ payment }) => payment.amount),
    create({ price: price(10) }).then(({ payment }) => payment.amount),
    create({ price: price(20), currency: 'PI' }).then(({ payment }) => payment.amount),
  ]);
  expect(outcomes).toEqual([
    12_500_000n,
    '400 amount is below the minimum of 1.00 USD for USDC',
    3_000_000n,
    null,
    250_000_000n,
  ]);
});
