import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { takePicture } from './browser/pictures.ts';
import type { CreatedPayment } from './support/api.ts';

// A shop gives the page where its customers pay its own brand, and they pay there.

/** Browsers take each name below `localhost` for this machine. */
const domain = 'pay.shop.localhost';
const records = new Map<string, string>();
const found = (kind: string, name: string): string => {
  const value = records.get(`${kind} record of ${name}`);
  if (value === undefined) throw new Error('ENODATA');
  return value;
};
const resolve = {
  txt: async (name: string) => [[found('TXT', name)]],
  cname: async () => [],
  addresses: async (name: string) => [found('A', name)],
};

const [browser, place] = await Promise.all([openBrowser(), openFirstDay({ resolve })]);
const settings = `/app/i/${place.app.integrationId}/test/settings?tab=page`;

async function paymentUrl(): Promise<string> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await place.app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
}

/** Publishes what the open card says. */
async function publish(page: Page): Promise<void> {
  for (const record of await page.locator('figure').filter({ hasText: ' record of ' }).all()) {
    const caption = (await record.locator('figcaption').textContent()) ?? '';
    const [name = ''] = /^\w+ record of [\w.-]+\.localhost/.exec(caption) ?? [];
    records.set(name, (await record.locator('pre').textContent()) ?? '');
  }
}

test('a colour and a sentence are tried in a picture, and stand on the page once they are saved', async () => {
  const { page, faults } = await openTab(browser, place, 'owner');
  await load(page, settings);
  await page.getByRole('textbox', { name: /^Colour/ }).fill('#ffd400');
  await page.getByRole('textbox', { name: /^Sentence above the amount/ }).fill('Books & <paper>');
  await page.getByText('corrected to #').waitFor();
  await page.getByText('#ffd400, as you chose it').waitFor();
  const found: string[] = [];
  for (const look of twoLooks) found.push(...(await judge(page, look, `dashboard/brand-${look.name}`)));
  expect([...found, ...faults]).toEqual([]);
  await page.getByRole('form', { name: 'Colour and sentence' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Payment page saved').waitFor();

  await page.goto(await paymentUrl());
  expect(await page.locator('.sentence').textContent()).toBe('Books & <paper>');
  const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent')";
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(accent)).toBe('#ffd400');
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await page.evaluate(accent)).not.toBe('#ffd400');
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a domain is set, told what it needs, and checked; then customers pay there', async () => {
  const { page, faults } = await openTab(browser, place, 'owner');
  await load(page, settings);
  await page.getByRole('textbox', { name: /^Name of the domain/ }).fill(domain);
  await page.getByRole('button', { name: 'Save the domain' }).click();
  await page.getByRole('button', { name: 'Check it now' }).click();
  await page.getByText(`${domain} is not ready yet: _florin.${domain} has no TXT record`).waitFor();
  const found: string[] = [];
  for (const look of twoLooks) found.push(...(await judge(page, look, `dashboard/page-domain-${look.name}`)));
  expect(found).toEqual([]);
  await publish(page);
  await page.getByRole('button', { name: 'Check it now' }).click();
  await page.getByText('Customers pay here').waitFor();
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);

  const url = await paymentUrl();
  expect(new URL(url).hostname).toBe(domain);
  const customer = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  const wrong: string[] = [];
  customer.on('pageerror', ({ message }) => wrong.push(message));
  customer.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  await customer.goto(url);
  await customer.getByRole('button', { name: 'Continue' }).click();
  await customer.locator('[data-screen="linked"]').waitFor();
  expect(new URL(customer.url()).hostname).toBe(domain);
  expect(await findViolations(customer)).toEqual([]);
  await takePicture(customer, 'e2e/page-at-own-domain');
  await customer.getByRole('button', { name: 'Success' }).click();
  await customer.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor();
  expect(wrong).toEqual([]);
  await customer.close();
  await page.context().close();
});
