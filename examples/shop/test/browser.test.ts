import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { liveSecrets } from './gateway.ts';
import { openShop } from './open-shop.ts';

/** Where to leave pictures of every page, for people to look at; none are taken without it. */
const pictures = process.env.SHOP_SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Each width and each colour once. */
const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const;

if (pictures) mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // Tests in the same process may send it signals, at which Playwright would close every browser of it.
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
});

afterAll(() => browser?.close());

/** Every axe violation of the page, and every element wider than the screen. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string }[] }> };
    };
    const { document, innerWidth } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number } };
      innerWidth: number;
    };
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : [];
    return [...violations.map((violation) => violation.id), ...wide];
  });
}

test('a customer buys, comes back, and sees the order turn paid without a touch', async () => {
  const { url, settle, gateway } = await openShop();
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByRole('link', { name: 'Ledger notebook' }).click();
  await page.getByLabel('Quantity').fill('2');
  await page.getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('heading', { name: 'Pay here' }).waitFor();

  const payment = gateway.created[0]!;
  expect(payment.amount).toBe(36);
  await page.goto(payment.success_url!);
  await page.getByRole('heading', { name: 'Almost there' }).waitFor();
  await settle('payment_completed');
  await page.getByRole('heading', { name: 'Paid, thank you' }).waitFor();
  await page.close();
});

test('every page is fit for everyone: light and dark, narrow and wide', async () => {
  const note = 'On a chain of its own, whose coins are worth nothing.';
  const { url, buy, settle } = await openShop({ live: { ...liveSecrets, note, currencies: [] } });
  const paths: Record<string, string> = {
    home: '/',
    product: '/products/brass-fountain-pen',
    nothing: '/nowhere',
  };
  const endings = {
    open: '',
    failed: 'payment_failed',
    abandoned: 'payment_abandoned',
    paid: 'payment_completed',
  };
  for (const [name, type] of Object.entries(endings)) {
    const form = { product: 'sealing-wax', email: 'a-rather-long-address@customers.example.com' };
    paths[name] = (await buy(form)).path;
    if (type !== '') await settle(type);
  }
  paths.live = (await buy({ product: 'ledger-notebook', mode: 'live' })).path;
  paths.orders = '/orders';

  const faults: Record<string, string[]> = {};
  for (const { colorScheme, width } of looks) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    for (const [name, path] of Object.entries(paths)) {
      const picture = `${name}-${colorScheme}-${width}`;
      await page.goto(url + path);
      if (pictures) await page.screenshot({ path: join(pictures, `${picture}.png`), fullPage: true });
      const found = await faultsOf(page);
      if (found.length > 0) faults[picture] = found;
    }
    await page.close();
  }
  expect(faults).toEqual({});
});
