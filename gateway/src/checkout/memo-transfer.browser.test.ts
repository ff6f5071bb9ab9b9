import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;

afterEach(() => page.context().close());

async function open(shown: CheckoutPayment, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  page = await context.newPage();
  server.show(shown);
  await page.goto(server.url);
}

test('after each copied value the button of the next step is the filled one', async () => {
  await open(PAYMENTS['linked-memo'], { permissions: ['clipboard-read', 'clipboard-write'] });
  const { address, memo, amount } = PAYMENTS['linked-memo'].destinations[0]!;
  const parts = { address, memo: memo!, amount };
  const filled = `[...document.querySelectorAll('.steps .copy')]
    .filter((button) => getComputedStyle(button).backgroundColor === 'rgb(154, 107, 0)')
    .map((button) => button.id)`;
  for (const [name, value] of Object.entries(parts)) {
    expect(await page.evaluate(filled)).toEqual([`copy-${name}-0`]);
    await page.locator(`#copy-${name}-0`).click();
    await page.locator(`.step-${name}.copied`).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    await page.mouse.move(0, 0);
  }
  expect(await page.evaluate(filled)).toEqual([]);
});

test('copying works where the browser refuses the clipboard, as in a frame', async () => {
  await open(PAYMENTS['linked-memo'], { permissions: ['clipboard-read'] });
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('Refused'))`);
  await page.locator('#copy-memo-0').click();
  await page.locator('.step-memo.copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('F7K2M9QXJT');
});

test('the page shows everything that a transfer needs without JavaScript', async () => {
  await open(PAYMENTS['linked-pi-demo'], { javaScriptEnabled: false });
  const { address, memo } = PAYMENTS['linked-pi-demo'].destinations[0]!;
  for (const text of [address, memo!, '314.1592653 PI', 'The memo is required']) {
    await page.locator('main').getByText(text).first().waitFor();
  }
  expect(await page.locator('button:visible').count()).toBe(0);
  const words = await page.evaluate("document.querySelector('main').innerText");
  expect(words).toMatch(/Pay by transfer\s.*Address\s.*Memo\s/s);
  expect(words).not.toMatch(/as soon as|instead|Copy/);
  await page.getByRole('link', { name: 'Open the demo wallet' }).waitFor();
});
