import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';

// A merchant asks a price, refunds a part of it, and reads what late money is worth today.

let place: Place;
let page: Page;
let faults: string[];

beforeAll(async () => {
  place = await openFirstDay();
  ({ page, faults } = await openTab(await openBrowser(), place, 'owner'));
});

const at = (path: string) => `/app/i/${place.params.integration}/test${path}`;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function looksGood(name: string): Promise<void> {
  for (const look of twoLooks) {
    expect(await judge(page, look, `dashboard/${name}-${look.name}`)).toEqual([]);
  }
  expect(faults.splice(0)).toEqual([]);
}

/** A payment of 49.90 EUR that went as `outcome` says, while one EUR is 1.25 units of the coin. */
async function play(reference: string, currency: string, outcome: string): Promise<void> {
  const price = { amount: '49.90', currency: 'EUR' };
  const body = { price, currency, payment_type: 'deposit', payment_reference: reference };
  expect((await place.app.api('PUT', '/payment/create', { body })).status).toBe(200);
  await place.app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
}

const setRate = (currency: string, rate: string) =>
  place.app.api('PUT', '/test/rates', { body: { currency, price_currency: 'EUR', rate } });

test('a price is asked in the accounting currency or in another', async () => {
  await load(page, at('/payment-links'));
  await press('New payment link');
  await page.getByLabel('For what').fill('Membership');
  await page.getByLabel('How it is asked').selectOption('As a price in other money');
  const currency = page.getByLabel('Currency of the price');
  expect(await currency.inputValue()).toBe('USD');
  await currency.selectOption('EUR');
  await page.getByLabel('Amount').fill('20');
  await looksGood('price-asked');
  await press('Create the link');
  await page.getByRole('img', { name: 'QR code of Membership' }).waitFor();
  const { body } = await place.app.api<{ items: object[] }>('GET', '/payment-links');
  expect(body.data.items).toMatchObject([{ title: 'Membership', amount: '20', currency: 'EUR' }]);
});

test('a link of a price says which coins pay it', async () => {
  const price = { amount: '20', currency: 'EUR' };
  const links = [
    { title: 'In one coin', price, currency: 'USDC' },
    { title: 'In some', price, currencies: ['USDC', 'PI'] },
  ];
  for (const body of links) await place.app.api('POST', '/payment-links', { body });
  await load(page, at('/payment-links'));
  for (const [title, words] of [
    ['Membership', 'The customer chooses'],
    ['In one coin', 'USDC'],
    ['In some', 'The customer chooses from USDC, PI'],
  ] as const) {
    await page.getByRole('link', { name: title }).click();
    const paidIn = page.getByRole('dialog').getByRole('term').filter({ hasText: 'Paid in' });
    expect(await paidIn.locator('xpath=following-sibling::dd[1]').textContent()).toBe(words);
    await page.keyboard.press('Escape');
  }
});

test('a part of the price is refunded, beside what it is worth today', async () => {
  await play('PRICED', 'USDC', 'success');
  await setRate('USDC', '0.75');
  await load(page, at('/payments/PRICED'));
  await page.getByText('test: 0.8').waitFor();
  await press('Refund');
  await page.getByLabel('The amount is given in').selectOption('EUR');
  await page.getByLabel('Amount in EUR').fill('10.01');
  await page
    .getByText('10.01 EUR = 12.5125 USDC at the rate of the payment, 13.346666 today.', { exact: true })
    .waitFor();
  await looksGood('price-refunded');
  await press('Refund 12.5125 USDC on Ethereum');
  await page.getByText('Refund made. The customer is asked for an address.').waitFor();
});

test('an appeal says what the money is worth today', async () => {
  await play('LATE', 'PI', 'underpaid');
  await place.app.api('POST', '/test/clock/advance', { body: { seconds: 601 } });
  await setRate('PI', '0.4');
  await load(page, at('/appeals'));
  await page.getByRole('link', { name: /LATE/ }).first().click();
  const worth = page.getByRole('dialog').getByText('Received, worth today');
  await worth.waitFor();
  expect(await page.getByRole('dialog').textContent()).toMatch(/12\.48 EUR 1 PI = 0\.4 EUR/);
  await looksGood('price-in-appeal');
});

test('the overview and the list have totals of prices beside what is paid, and either is drawn', async () => {
  await load(page, at('/overview'));
  const totals = page.getByRole('navigation', { name: 'Currency' });
  await totals.getByRole('link', { name: '49.90 EUR in 1 payment' }).click();
  await page.getByText('What completed payments asked in EUR, by the day they were created.').waitFor();
  await looksGood('prices-overview');
  await page.getByRole('link', { name: 'Show payments' }).first().click();
  await page.getByText('Asked in prices').waitFor();
  expect(await page.getByText('Asked in prices').locator('xpath=..').textContent()).toContain(
    '49.90 EUR in 1 payment',
  );
  await press('Filters (3)');
  await page.getByRole('button', { name: 'EUR', exact: true, pressed: true }).waitFor();
  await looksGood('prices-list');
});
