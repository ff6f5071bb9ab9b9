import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { pressEscape } from './browser/acts.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import { judge, load, narrowDark, openTab } from './browser/dashboard-look.ts';

const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const slow = { timeout: 120_000 };
let browser: Browser;
let place: Place;

beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), openFirstDay()]);
});

test('an owner decides about the fee of refunds, and how much a link may claim', async () => {
  const { app, people } = place;
  const address = `/app/i/${app.integrationId}/test/settings?tab=payouts`;
  const settings = async () =>
    (await (await people.as('owner'))('GET', `${people.integration}/refund-settings`)).body.data;
  expect(await settings()).toMatchObject({
    fee_on_refund: 'kept',
    claim_limit_usd: '50.00',
    claim_limits: {},
  });
  const { page } = await openTab(browser, place, 'owner');
  page.context().setDefaultTimeout(slow.timeout);
  await load(page, address);
  const form = page.getByRole('form', { name: 'Refund settings' });
  await form.getByRole('radio', { name: 'Its part is returned' }).check();
  const limit = form.getByLabel('Most that the link of a payment may claim, in US dollars');
  await limit.fill('12.345');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('must be 0 to 1000000 dollars with at most two decimals').waitFor();
  await limit.fill('12.5');
  await form.getByText('Limits in an asset of their own').click();
  await form.getByLabel('USDC on Base').fill('7.5');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Refund settings saved').waitFor();
  expect(await settings()).toMatchObject({
    ...{ fee_on_refund: 'returned', claim_limit_usd: '12.50' },
    claim_limits: { 'usdc-base': '7.5' },
  });
  expect(await judge(page, narrowDark, 'dashboard/refund-settings-360-dark')).toEqual([]);

  const other = await openTab(browser, place, 'finance');
  other.page.context().setDefaultTimeout(slow.timeout);
  await load(other.page, address);
  const shown = other.page.getByRole('form', { name: 'Refund settings' });
  expect(await shown.getByRole('radio', { name: 'Its part is returned' }).isChecked()).toBe(true);
  expect(await shown.getByLabel('Most that the link').isDisabled()).toBe(true);
  expect(await shown.getByRole('button').count()).toBe(0);
});

test('an address for topping the balance up is asked for once, copied, and shown as a QR code', async () => {
  const { app } = place;
  const { page } = await openTab(browser, place, 'owner');
  page.context().setDefaultTimeout(slow.timeout);
  await load(page, `/app/i/${app.integrationId}/test/balances?tab=top-up`);
  await page.getByText('No address yet').waitFor();
  await page.getByLabel('Asset').selectOption({ label: 'USDC on Base' });
  await page.getByRole('button', { name: 'Get an address' }).click();
  const card = page.getByRole('region', { name: 'USDC on Base' });
  await card.getByText(`test_${app.integrationId}`).waitFor();
  // There is one for each asset.
  const others = await page.getByLabel('Asset').locator('option').allTextContents();
  expect(others).not.toContain('USDC on Base');
  expect(others).not.toEqual([]);
  expect(await judge(page, narrowDark, 'dashboard/top-up-360-dark')).toEqual([]);
  await card.getByRole('button', { name: 'QR code' }).click();
  await page.getByRole('img', { name: 'QR code of the address for USDC on Base' }).waitFor();
  await pressEscape(page);
  await card.getByRole('button', { name: /Copy/ }).waitFor();
});

test('an owner withdraws, somebody of finance approves, and the money arrives', async () => {
  const { app, people } = place;
  await people.as('finance');
  await app.api('POST', '/test/top-ups', { body: { asset: 'usdc-base', amount: '80' } });
  const at = `/app/i/${app.integrationId}/test`;
  const { page } = await openTab(browser, place, 'owner');
  page.context().setDefaultTimeout(slow.timeout);

  await load(page, `${at}/settings?tab=payouts`);
  await page.getByLabel('Approvals by other people').selectOption('One');
  await page.getByRole('form', { name: 'Payout settings' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Payout settings saved').waitFor();

  await load(page, `${at}/balances`);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('button', { name: 'All' }).click();
  expect(await page.getByLabel('Amount in USDC').inputValue()).toBe('80');
  await page.getByLabel('Amount in USDC').fill('50');
  await page.getByLabel('Address').fill(to);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('It is sent after one approval by somebody else.').waitFor();
  await page.getByRole('button', { name: 'Send 50.00 USDC on Base' }).click();
  await page.getByText('You asked for it, so somebody else approves it.').waitFor();

  const other = await openTab(browser, place, 'finance');
  other.page.context().setDefaultTimeout(slow.timeout);
  await load(other.page, `${at}/balances?tab=payouts`);
  const card = other.page.getByRole('region', { name: '50.00 USDC on Base' });
  await card.getByText(to).waitFor();
  await card.getByText('owner@example.com').waitFor();
  expect(await judge(other.page, narrowDark, 'dashboard/payouts-approve-360-dark')).toEqual([]);
  await card.getByRole('button', { name: 'Approve' }).click();
  await other.page.getByText('Payout approved').waitFor();

  await load(page, `${at}/balances?tab=payouts`);
  await page.getByRole('link', { name: '50.00 USDC' }).click();
  await page.getByText('Arrived: its transaction is final.').waitFor();
  await page.getByText('By finance@example.com').waitFor();
  const { rows } = await app.db.query('SELECT status FROM payouts');
  expect(rows).toEqual([{ status: 'completed' }]);
});
