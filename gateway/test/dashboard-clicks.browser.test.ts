// How much a person has to do for what merchants do every day, from the page where they are.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { countActs } from './browser/acts.ts';
import { openBrowser } from './browser/browser.ts';
import { openBusyPlace, type Place } from './browser/dashboard-fixture.ts';
import { load, openTab } from './browser/dashboard-look.ts';
import { password } from './support/console.ts';

let browser: Browser;
let place: Place;

beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), openBusyPlace()]);
});

/** A tab of the owner with a page of test mode open. */
async function openOwner(path: string): Promise<Page> {
  const { page } = await openTab(browser, place, 'owner');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1280, height: 900 });
  await load(page, `/app/i/${place.params.integration}/test${path}`);
  return page;
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** The account signed in so long ago that the gateway asks again before money moves. */
async function signedInLongAgo(): Promise<void> {
  await place.app.db.query(
    "UPDATE sessions SET created_at = created_at - interval '11 minutes', confirmed_at = NULL",
  );
}

test('a payment is found from anywhere by two keys and a paste', async () => {
  const page = await openOwner('/overview');
  const acts = await countActs(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a payment, a page or an action' }).waitFor();
  await page.keyboard.insertText('order-success');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/test/payments/order-success');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  expect(await acts()).toEqual({ clicks: 0, keys: 2 });
  await page.context().close();
});

test('a payment is refunded from its page by two clicks', async () => {
  const page = await openOwner('/payments/order-success');
  const acts = await countActs(page);
  await press(page, 'Refund');
  await press(page, /^Refund 84\.50 /);
  await page.getByText('Refund made. The customer is asked for an address.').waitFor();
  expect(await acts()).toEqual({ clicks: 2, keys: 0 });
  await page.context().close();
});

test('and by three where the gateway asks first who it is, with the password typed at once', async () => {
  const page = await openOwner('/payments/order-overpaid');
  await signedInLongAgo();
  const acts = await countActs(page);
  await press(page, 'Refund');
  await press(page, /^Refund /);
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  await page.keyboard.insertText(password);
  await press(page, 'Confirm');
  await page.getByText(/^Refund made/).waitFor();
  expect(await acts()).toEqual({ clicks: 3, keys: 0 });
  await page.context().close();
});

test('a payment link is made from anywhere by three clicks, and copied by one key', async () => {
  const page = await openOwner('/overview');
  const acts = await countActs(page);
  await page.getByRole('link', { name: 'Payment links' }).click();
  await press(page, 'New payment link');
  await page.getByRole('form', { name: 'New payment link' }).waitFor();
  // Its first field has the focus, and the others follow.
  await page.keyboard.insertText('A day at the press');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('120');
  await press(page, 'Create the link');
  await page.getByRole('img', { name: 'QR code of A day at the press' }).waitFor();
  expect(await acts()).toEqual({ clicks: 3, keys: 1 });
  await page.keyboard.press('Enter');
  await page.getByText('Copied', { exact: true }).waitFor();
  const { rows } = await place.app.db.query<{ code: string }>(
    "SELECT code FROM payment_links WHERE title = 'A day at the press'",
  );
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${place.app.baseUrl}/l/${rows[0]?.code}`,
  );
  await page.context().close();
});

test('a payment is created from anywhere by three clicks, says what it asks, and leads to itself', async () => {
  const page = await openOwner('/overview');
  const acts = await countActs(page);
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('link', { name: 'New payment', exact: true }).click();
  await page.getByRole('form', { name: 'New payment' }).waitFor();
  await page.keyboard.insertText('A chair');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('12.5');
  await press(page, 'Create the payment');
  await page.getByText('12.50 USDC for A chair').waitFor();
  expect(await acts()).toEqual({ clicks: 3, keys: 1 });
  const reference = await page.getByRole('dialog').getByRole('link', { name: /^PAY_/ }).textContent();
  await page.getByRole('link', { name: 'Open the payment' }).click();
  await page.waitForURL((url) => url.searchParams.get('open') === reference);
  await page
    .getByRole('dialog', { name: 'Payment', exact: true })
    .getByText(`${reference}`)
    .first()
    .waitFor();
  await page.context().close();
});

test('a payment without an amount is not sent: the field says what is wrong, and has the focus', async () => {
  const page = await openOwner('/payments?make=payment');
  await page.getByLabel('For what').fill('A chair');
  await press(page, 'Create the payment');
  const amount = page.getByLabel('Amount');
  await page.getByText('Fill this in.').waitFor();
  expect(await amount.getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate('document.activeElement.name')).toBe('amount');
  await amount.fill('1,5');
  await press(page, 'Create the payment');
  await page.getByText('Write a decimal number, such as 100 or 0.5.').waitFor();
  await amount.fill('0.0000001');
  await press(page, 'Create the payment');
  await page.getByText(/^amount /).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.context().close();
});

test('a link is a button for a page in three looks and any colour, with its HTML beside it', async () => {
  const page = await openOwner('/payment-links');
  await page.getByRole('link', { name: 'A day at the press' }).click();
  const part = page.getByRole('region', { name: 'Button for your page' });
  await part.getByLabel('Words').fill('Pay <now>');
  await part.getByLabel('Colour').fill('#2244cc');
  for (const name of ['Filled', 'Outlined', 'Soft']) {
    await part.getByLabel('Look').selectOption(name);
    const button = part.getByRole('link', { name: 'Pay <now>' });
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    const html = (await part.locator('pre').textContent()) ?? '';
    // What is pasted looks as the preview does.
    const pasted = await page.context().newPage();
    await pasted.setContent(html);
    const lookOf = (selector: string) => `getComputedStyle(document.querySelector("${selector}"))`;
    for (const property of ['backgroundColor', 'color', 'border', 'font']) {
      const shown = await page.evaluate<string>(`${lookOf('[role=dialog] a[style]')}.${property}`);
      expect([property, await pasted.evaluate(`${lookOf('a')}.${property}`)]).toEqual([property, shown]);
    }
    expect(await pasted.locator('a').textContent()).toBe('Pay <now>');
    await pasted.close();
  }
  await page.context().close();
});

test('the payments of last month are exported from their list by two clicks', async () => {
  const page = await openOwner('/payments');
  const acts = await countActs(page);
  const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });
  const now = new Date();
  const last = name.format(new Date(now.getFullYear(), now.getMonth() - 1, 1));
  await press(page, 'Export');
  const file = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: `${last}, CSV` }).click();
  const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
  expect(lines.length).toBeGreaterThan(100);
  expect(await acts()).toEqual({ clicks: 2, keys: 0 });
  await page.context().close();
});

test('those of any earlier month by four, with its days typed', async () => {
  const page = await openOwner('/payments');
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
  // As the field of an American browser is typed: month, day, year.
  const typed = (date: Date) => {
    const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
    return `${month}${day}${year}`;
  };
  const acts = await countActs(page);
  await press(page, 'Filters');
  await page.getByLabel('Created from').click({ position: { x: 16, y: 20 } });
  await page.keyboard.type(typed(first));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type(typed(last));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('to') === last.toISOString().slice(0, 10));
  expect(new URL(page.url()).searchParams.get('from')).toBe(first.toISOString().slice(0, 10));
  await press(page, 'Export');
  const file = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click();
  const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
  expect(lines.length).toBeGreaterThan(100);
  expect((await acts()).clicks).toBe(4);
  await page.context().close();
});
