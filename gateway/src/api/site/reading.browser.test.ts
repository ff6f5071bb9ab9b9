import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../../test/browser/axe.ts';
import { openBrowser } from '../../../test/browser/browser.ts';
import { openLook } from '../../../test/browser/checkout-look.ts';
import { takePicture } from '../../../test/browser/pictures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

let app: RunningApp;
let browser: Browser;

beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
});

const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent');
const announced = (text: string | RegExp) => ({ hasText: text });

test('the search is used by the keyboard alone, and says what it found', async () => {
  const { page, faults } = await openLook(browser, desk);
  await page.goto(`${app.baseUrl}/docs/`);
  await page.keyboard.press('/');
  await page.keyboard.type('rotate keys');
  await page.waitForSelector('#found li');
  await page.locator('#announcer', announced(/found\. First: Keys/)).waitFor({ state: 'attached' });
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, 'site/search-desk', { fullPage: false });

  await page.keyboard.press('ArrowDown');
  const first = await focused(page);
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).not.toBe(first);
  await page.keyboard.press('Home');
  expect(await focused(page)).toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate('document.activeElement.id')).toBe('search');
  await page.keyboard.press('Escape');
  expect(await page.isVisible('#found')).toBe(false);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/keys');
  await page.close();
  expect(faults).toEqual([]);
});

test('a misspelt question shows what was meant, and takes it', async () => {
  const { page } = await openLook(browser, phone);
  await page.goto(`${app.baseUrl}/docs/keys`);
  await page.fill('#search', 'idempotancy');
  await page.waitForSelector('#found a[href="/docs/idempotency"]');
  await page.locator('#announcer', announced('Did you mean idempotency?')).waitFor({ state: 'attached' });
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, 'site/search-phone', { fullPage: false });
  await page.getByRole('button', { name: 'idempotency' }).click();
  await page.waitForSelector('#found:not(:has(button))');
  expect(await page.inputValue('#search')).toBe('idempotency');
  await page.fill('#search', 'zyzzyva');
  await page.waitForSelector('#found >> text=Nothing found');
  await page.close();
});

test('the contents stand beside the text, and mark where its reader is', async () => {
  const { page } = await openLook(browser, desk);
  await page.goto(`${app.baseUrl}/docs/webhooks`);
  expect(await page.isVisible('details.contents')).toBe(false);
  expect(await page.locator('.here [aria-current]').count()).toBe(0);
  await page.evaluate("document.querySelector('#deliveries').scrollIntoView()");
  await page.waitForSelector('.here a[href="#deliveries"][aria-current="location"]');
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await page.waitForSelector('.here a[href="#rolling-the-secret-key"][aria-current="location"]');
  expect(await page.locator('.here [aria-current]').count()).toBe(1);
  await page.close();
});

test('where there is no room beside the text, the contents open below the title', async () => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.baseUrl}/docs/webhooks`);
  expect(await page.isVisible('.here')).toBe(false);
  await page.click('details.contents summary');
  await page.click('details.contents a[href="#deliveries"]');
  expect(page.url()).toMatch(/#deliveries$/);
  // Code has its colours without a script too.
  expect(await page.locator('.code .keyword').count()).toBeGreaterThan(5);
  await context.close();
});

test.each([
  ['on a desk', desk],
  ['on a phone', phone],
])('the button that copies code stands beside it and covers none of it, %s', async (_, look) => {
  const { page } = await openLook(browser, look);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.baseUrl });
  await page.goto(`${app.baseUrl}/docs/quick-start`);
  await page.waitForSelector('.copy');
  const covered: number = await page.evaluate(`[...document.querySelectorAll('.code')].filter((frame) => {
    const button = frame.querySelector('.copy').getBoundingClientRect();
    const code = frame.querySelector('pre').getBoundingClientRect();
    return frame.offsetParent && button.left < code.right && button.right > code.left && button.top < code.bottom && button.bottom > code.top;
  }).length`);
  expect(covered).toBe(0);
  await page.locator('.copy').first().click();
  await page.waitForSelector('.copy >> text=Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
  await page.close();
});
