import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { startPageServer } from '../../test/browser/page-server.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;

beforeEach(async () => {
  page = await browser.newPage();
  await page.clock.install();
  await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }));
});
afterEach(() => page.close());

async function openAndListen(name: PaymentName): Promise<void> {
  const listening = page.waitForResponse(/\/events/);
  server.show(PAYMENTS[name]);
  await page.goto(server.url);
  await listening;
}

describe('the countdown to the shop', () => {
  test.each([
    ['completed', 'https://shop.example/thanks?order=1001'],
    ['failed', 'https://shop.example/basket'],
    ['cancelled', 'https://shop.example/basket'],
  ] as const)('leads there after %s', async (name, address) => {
    await openAndListen(name);
    expect(await page.locator('.countdown span').textContent()).toBe('Taking you to shop.example in 10 s');
    await page.clock.runFor(11_000);
    await page.waitForURL(address);
  });

  test('can be stopped, and then stays stopped', async () => {
    await openAndListen('completed');
    await page.click('#stay');
    await page.clock.runFor(15_000);
    await page.reload();
    await page.clock.runFor(15_000);
    expect(page.url()).toBe(server.url);
    expect(await page.locator('.countdown').isVisible()).toBe(false);
  });

  const touches: Record<string, () => Promise<unknown>> = {
    'a press of the pointer': () => page.locator('h1').click(),
    'a key': () => page.keyboard.press('ArrowDown'),
    'the wheel': () => page.mouse.wheel(0, 40),
    'the focus': () => page.locator('#claim-summary').focus(),
    // A screen reader clicks without a pointer.
    'a click alone': () => page.locator('#stay').dispatchEvent('click'),
  };
  test.each(Object.keys(touches))('is stopped by %s', async (touch) => {
    await openAndListen('failed');
    expect(await page.locator('.countdown').isVisible()).toBe(true);
    await page.mouse.move(200, 200);
    await page.clock.runFor(2_000);
    expect(await page.locator('.countdown span').textContent()).toMatch(/in [89] s$/);
    await touches[touch]?.();
    await expect.poll(() => page.locator('.countdown').isVisible()).toBe(false);
    await page.clock.runFor(15_000);
    expect(page.url()).toBe(server.url);
  });

  test('is not stopped by what was done before it began', async () => {
    await openAndListen('linked');
    await page.click('#other-ways-summary');
    await page.keyboard.press('ArrowDown');
    server.show(PAYMENTS.completed);
    await page.waitForSelector('main[data-screen=completed]');
    await page.clock.runFor(11_000);
    await page.waitForURL('https://shop.example/thanks?order=1001');
  });

  test('does not begin while a form is filled in', async () => {
    await openAndListen('linked');
    await page.click('#other-ways-summary');
    await page.click('#claim-summary');
    await page.focus('#transaction');
    server.show(PAYMENTS.failed);
    await page.waitForSelector('main[data-screen=failed]');
    expect(await page.locator('#transaction:focus').count()).toBe(1);
    await page.clock.runFor(15_000);
    expect(page.url()).toBe(server.url);
    await page.reload();
    await page.clock.runFor(11_000);
    await page.waitForURL('https://shop.example/basket');
  });
});

test('nobody is led away from a page whose time is up: who has paid says so there', async () => {
  await openAndListen('expired');
  expect(await page.locator('.countdown').count()).toBe(0);
  await page.clock.runFor(15_000);
  expect(page.url()).toBe(server.url);
  expect(await page.locator('#return').getAttribute('href')).toBe('https://shop.example/basket');
  await page.click('#claim-summary');
  expect(await page.locator('#claim-button').isVisible()).toBe(true);
});
