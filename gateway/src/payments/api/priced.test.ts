import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../test/refunds/keys.ts';
import { type CreatedPayment, readPage, submitForm } from '../../../test/support/api.ts';
import { type OpenConsole, openConsole } from '../../../test/support/console.ts';
import { seedUser } from '../../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

// A price as programs meet it: from create to the refund (contract.md#prices).

let app: RunningApp;
let key: string;
let people: OpenConsole;
let made = 0;
beforeAll(async () => {
  app = await startApp();
  key = await createKey(app, ['make refunds']);
  people = await openConsole(app);
});

type Data = Record<string, unknown> & { transfers: unknown[]; quote: unknown };

async function create(fields: object = {}) {
  const payment_reference = `PRICE-${++made}`;
  const body = { price: { amount: '49.90', currency: 'EUR' }, payment_type: 'deposit', payment_reference };
  const answer = await app.api<CreatedPayment>('PUT', '/payment/create', { body: { ...body, ...fields } });
  if (answer.status !== 200) throw new Error(answer.text);
  return { reference: payment_reference, page: new URL(answer.body.data.PaymentURL), ...answer.body.data };
}

const get = async (path: string) => (await app.api<Data>('GET', path)).body.data;
const simulate = (reference: string, outcome = 'success') =>
  app.api<Data>('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
const references = async (query: string) =>
  (await app.api<{ items: Data[] }>('GET', `/payments?limit=100&${query}`)).body.data.items.map(
    (each) => each.payment_reference,
  );

const quote = { currency: 'USDC', amount: '62.38', rate: '0.8' };

test('an open payment has its price, and nothing to be paid yet', async () => {
  const { reference, PaymentData } = await create();
  expect(PaymentData).toMatchObject({ amount: 49.9, currency: 'EUR', payment_status: 'unlinked' });
  expect(await get(`/payments/${reference}`)).toMatchObject({
    ...{ amount: '49.9', currency: 'EUR', service_fee: '0' },
    ...{ quote: null, amount_due: null, amount_received: null, transfers: [] },
  });
  const info = await get(`/payment/info/${reference}`);
  expect(Object.keys(info)).toHaveLength(6);
  expect(info).toMatchObject({ amount: 49.9, currency: 'EUR' });
});

test('a quoted one has both: what was asked, and what is paid', async () => {
  const { reference } = await create({ currency: 'USDC' });
  const payment = await get(`/payments/${reference}`);
  expect(payment).toMatchObject({
    ...{ amount: '49.9', currency: 'EUR', amount_due: '62.38', service_fee: '0.5' },
    quote: { ...quote, sources: [{ name: 'test', rate: '0.8' }] },
  });
  const { body } = await simulate(reference);
  expect(body.data).toMatchObject({ payment_status: 'completed', amount_received: '62.38', quote });
});

test('a payment without a price answers with the same fields as ever', async () => {
  const { reference } = await create({ price: undefined, amount: 10, currency: 'USDC' });
  const payment = await get(`/payments/${reference}`);
  expect(Object.keys(payment)).not.toContain('quote');
  expect(payment).toMatchObject({ amount: '10', currency: 'USDC', amount_due: '10', service_fee: '0.1' });
});

test('lists are filtered by the price, and by what pays it', async () => {
  const { reference: eur } = await create({ price: { amount: 777, currency: 'EUR' }, currency: 'PI' });
  const { reference: jpy } = await create({ price: { amount: 99_777, currency: 'JPY' } });
  expect(await references('currency=EUR')).toContain(eur);
  expect(await references('currency=EUR')).not.toContain(jpy);
  expect(await references('currency=PI')).toEqual([eur]);
  expect(await references('currency=JPY')).toEqual([jpy]);
  expect((await app.api('GET', '/payments?currency=EURO')).body.message).toBe(
    'currency is invalid: must be one of PI, USDC, USDT, CSK, or the ISO 4217 code of a price',
  );
  const owner = await people.as('owner');
  const found = async (query: string) =>
    (await owner<{ items: Data[] }>('GET', `${people.test}/payments?${query}`)).body.data.items.map(
      (each) => each.payment_reference,
    );
  expect(await found('min_amount=777&max_amount=777')).toEqual([eur]);
  expect(await found('min_amount=99777&max_amount=99777')).toEqual([jpy]);
  expect(await found('min_amount=777&max_amount=777&currency=USDC')).toEqual([]);
  const totals = await owner<Data>('GET', `${people.test}/totals/payments?currency=EUR&min_amount=777`);
  expect(totals.body.data).toMatchObject({
    groups: [{ payment_status: 'unlinked', currency: 'PI', count: 1, amount: '971.25' }],
    prices: [{ payment_status: 'unlinked', currency: 'EUR', count: 1, amount: '777' }],
  });
});

describe('a refund of a part of the price', () => {
  const refund = async (reference: string, body: object) => {
    const path = `/payments/${reference}/refunds`;
    const answer = await app.api<Data>('POST', path, { body, key });
    return answer.status === 200 ? answer.body.data : `${answer.status} ${answer.body.message}`;
  };

  test('is paid at the rate of the quote, rounded down', async () => {
    const { reference } = await create({ currency: 'USDC' });
    await simulate(reference);
    expect(await refund(reference, { price_amount: '10' })).toMatchObject({ amount: '12.5' });
    expect(await refund(reference, { price_amount: 0.01 })).toMatchObject({ amount: '0.0125' });
  });

  test.each<[object, string]>([
    [{ amount: '1', price_amount: '1' }, 'amount is invalid: leave it out where price_amount is given'],
    [{ price_amount: 0 }, 'price_amount is invalid: must be a positive number'],
    [{ price_amount: '1.005' }, 'price_amount is invalid: must have at most 2 decimals in EUR'],
    [{ price_amount: '50' }, 'amount is more than can be refunded (62.38 usdc-erc20)'],
  ])('is refused: %j', async (body, message) => {
    const { reference } = await create({ currency: 'USDC' });
    await simulate(reference);
    expect(await refund(reference, body)).toBe(`400 ${message}`);
  });

  test('is refused in a coin that the payment is not quoted in', async () => {
    const { reference } = await create({ currency: 'USDC' });
    await simulate(reference, 'wrong_token');
    await simulate(reference);
    expect(await refund(reference, { price_amount: '1', asset: 'pi' })).toBe(
      '400 price_amount is invalid: the payment is not quoted in PI',
    );
    expect(await refund(reference, { price_amount: '1', asset: 'usdc-erc20' })).toMatchObject({
      amount: '1.25',
    });
  });

  test('is refused for a payment without a price', async () => {
    const { reference } = await create({ price: undefined, amount: 10, currency: 'USDC' });
    await simulate(reference);
    expect(await refund(reference, { price_amount: '1' })).toBe(
      '400 price_amount is invalid: the payment has no price',
    );
  });
});

describe('the page', () => {
  const callOf = (page: URL, call: string) => new URL(`${page.pathname}${call}${page.search}`, page);
  const stateOf = async (page: URL) => (await (await fetch(callOf(page, '/state'))).json()) as Data;

  test('shows the choices with their amounts, and then the quote of the one that was made', async () => {
    const { page } = await create({ currencies: ['USDC', 'PI'] });
    expect((await readPage(page.href)).words).toMatch(
      /49\.90 EUR .*USDC 49\.90 EUR = 62\.38 USDC .*Base .*PI 49\.90 EUR = 62\.375 PI/,
    );
    const open = await stateOf(page);
    expect(open).toMatchObject({
      ...{ amount: '49.9', currency: 'EUR', amount_due: null, amount_received: null },
      ...{ destinations: [], quote: null },
    });
    expect(open.choices).toContainEqual({ asset: 'usdc-base', amount: '62.38', rate: '0.8' });
    expect(open.choices).toContainEqual({ asset: 'pi', amount: '62.375', rate: '0.8' });
    const chosen = await submitForm(page.href, 'method', { asset: 'pi' });
    expect(chosen.status).toBe(303);
    expect(await stateOf(page)).toMatchObject({
      ...{ payment_status: 'linked', amount: '49.9', currency: 'EUR', amount_due: '62.375' },
      destinations: [{ asset: 'pi', amount: '62.375' }],
      quote: { currency: 'PI', amount: '62.375', rate: '0.8' },
    });
    expect((await readPage(page.href)).words).toMatch(
      /49\.90 EUR = 62\.375 PI 1 PI = 0\.8 EUR Rate holds until .*49\.90 EUR = 62\.38 USDC/,
    );
    await submitForm(page.href, 'simulate', { outcome: 'success' });
    const paid = await stateOf(page);
    expect(paid).toMatchObject({ payment_status: 'completed', choices: [], quote: { currency: 'PI' } });
    expect((await readPage(page.href)).words).toContain('49.90 EUR Paid with 62.375 PI');
  });

  test('chooses what a wallet pays in, and another currency afterwards', async () => {
    await seedUser(app.db, 'priced', 'correct horse battery');
    const { page } = await create();
    expect((await readPage(page.href)).words).toMatch(/Pay in .*62\.375 PI/);
    for (const [choice, currency] of [
      [{ asset: 'wallet', currency: 'PI' }, 'PI'],
      [{ asset: 'usdc-base', currency: 'PI' }, 'USDC'],
      [{ asset: 'wallet', currency: 'PI' }, 'PI'],
    ] as const) {
      expect((await submitForm(page.href, 'method', choice)).status).toBe(303);
      expect(await stateOf(page)).toMatchObject({ payment_status: 'linked', quote: { currency } });
    }
  });

  test('of a payment without a price has neither', async () => {
    const { page } = await create({ price: undefined, amount: 10, currency: 'USDC' });
    const state = await stateOf(page);
    expect([Object.keys(state).includes('choices'), Object.keys(state).includes('quote')]).toEqual([
      false,
      false,
    ]);
  });
});

test('a payment link asks a price, and each of its payments does', async () => {
  const body = { title: 'Membership', price: { amount: '20', currency: 'EUR' }, currencies: ['USDC'] };
  const link = (await app.api<Data & { url: string; id: string }>('POST', '/payment-links', { body })).body
    .data;
  expect(link).toMatchObject({ currency: 'EUR', amount: '20', min_amount: null, revenue: '0' });
  expect((await readPage(link.url)).words).toMatch(/To pay 20\.00 EUR .*Pay 20\.00 EUR/);
  const pressed = await submitForm(link.url.replace(/\/[^/]*$/, ''), link.url.replace(/^.*\//, ''), {
    nonce: 'a-nonce-of-the-form',
  });
  expect(pressed.status).toBe(303);
  const [reference] = await references(`payment_link=${link.id}`);
  await simulate(`${reference}`);
  expect(await get(`/payments/${reference}`)).toMatchObject({
    ...{ amount: '20', currency: 'EUR', payment_status: 'completed' },
    quote: { currency: 'USDC', amount: '25' },
  });
  expect(await get(`/payment-links/${link.id}`)).toMatchObject({ uses: 1, revenue: '20' });
});

test.each<[object, string]>([
  [{ amount: 5 }, 'amount is invalid: leave it out where price is given'],
  [{ min_amount: 5 }, 'min_amount is invalid: leave it out where price is given'],
  [{ price: { amount: 1, currency: 'ABC' } }, 'price.currency is not supported'],
  [{ price: { amount: '0.5', currency: 'EUR' } }, 'amount is below the minimum of 1.00 USD for PI'],
  [{ currency: 'PI', currencies: ['PI'] }, 'currencies is invalid: leave it out where currency is given'],
])('a payment link is refused: %j', async (change, message) => {
  const body = { title: 'Membership', price: { amount: '20', currency: 'EUR' }, ...change };
  const answer = await app.api('POST', '/payment-links', { body });
  expect([answer.status, answer.body.message]).toEqual([400, message]);
});

test('an appeal says what the money is worth today', async () => {
  const owner = await people.as('owner');
  const { reference } = await create({ currency: 'PI' });
  await simulate(reference, 'underpaid');
  await app.api('POST', '/test/clock/advance', { body: { seconds: 601 } });
  const { items } = (await owner<{ items: Data[] }>('GET', `${people.test}/appeals`)).body.data;
  const { id } = items.find(({ payment_reference }) => payment_reference === reference)!;
  const read = async () => (await owner<Data>('GET', `${people.test}/appeals/${id}`)).body.data;
  const price = { amount: '49.9', currency: 'EUR', rate: '0.8' };
  // Half of the 62.375 PI that the price is at 0.8.
  expect(await read()).toMatchObject({
    amount_received: '31.1875',
    price: { ...price, rate_today: '0.8', received_today: '24.95' },
  });

  const pair = { currency: 'PI', price_currency: 'EUR' };
  await app.api('PUT', '/test/rates', { body: { ...pair, rate: '0.4' } });
  expect(await read()).toMatchObject({ price: { ...price, rate_today: '0.4', received_today: '12.48' } });
  await app.api('PUT', '/test/rates', { body: { ...pair, rate: null } });
});
