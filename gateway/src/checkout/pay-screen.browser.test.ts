import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type PageServer, startPageServer } from '../../test/browser/page-server.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;

beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

describe('times', () => {
  const paris = { timezoneId: 'Europe/Paris', locale: 'en-GB' };

  async function shownIn(payment: Parameters<PageServer['show']>[0], options: object): Promise<string> {
    const context = await browser.newContext(options);
    const there = await context.newPage();
    await there.clock.setFixedTime(NOW);
    server.show(payment);
    await there.goto(`${server.url}?lang=en`);
    if (!('javaScriptEnabled' in options)) await there.locator('[data-scripted]').waitFor();
    const text = (await there.locator('main').textContent()) ?? '';
    await context.close();
    return text.replaceAll(/[\s\u202f]+/g, ' ');
  }

  test('are those of the customer, who reads how long they have', async () => {
    expect(await shownIn(PAYMENTS.linked, paris)).toContain('Pay within 52 minutes (until 19:52 your time)');
    expect(await shownIn(PAYMENTS.completed, paris)).toContain('20 Nov 2026, 18:59');
    const american = { ...paris, locale: 'en-US' };
    expect(await shownIn(PAYMENTS.completed, american)).toContain('Nov 20, 2026, 6:59 PM');
  });

  test('are in UTC without a script', async () => {
    const plain = { ...paris, javaScriptEnabled: false };
    expect(await shownIn(PAYMENTS.linked, plain)).toContain('Pay by 6:52 PM UTC');
  });
});

describe('on a phone', () => {
  const opened = async () => {
    const { width, height } = { width: 390, height: 844 };
    await page.setViewportSize({ width, height });
    server.show(PAYMENTS.linked);
    await page.goto(server.url);
  };
  const filled = () => page.locator('.button.primary').filter({ visible: true });

  test('the filled button opens the transfer in a wallet, and the one that was chosen is remembered', async () => {
    await opened();
    expect(await filled().textContent()).toBe('Open in your wallet');
    expect(await filled().getAttribute('href')).toMatch(/^ethereum:0x833589fCD6/);
    expect(await page.locator('.qr').filter({ visible: true }).count()).toBe(0);
    await page.route('https://link.metamask.io/**', (route) => route.abort());
    await page.getByRole('link', { name: 'MetaMask' }).click();
    await opened();
    expect(await filled().textContent()).toBe('Open in MetaMask');
    expect(await filled().getAttribute('href')).toMatch(/^https:\/\/link\.metamask\.io\/send\//);
    expect(await page.getByRole('link', { name: 'Another wallet' }).getAttribute('href')).toMatch(
      /^ethereum:/,
    );
  });

  test('all that is needed fits without scrolling', async () => {
    await opened();
    const { y, height } = (await page.locator('#other-ways').boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(844);
  });
});

test('on a desktop the code stands left of amount and address, and all of it fits into 800 pixels', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  server.show(PAYMENTS.linked);
  await page.goto(server.url);
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const [code, amount, address, help] = await Promise.all(
    ['.code-side', '.row-amount', '.rows', '#other-ways'].map(box),
  );
  expect(code!.x + code!.width).toBeLessThan(Math.min(amount!.x, address!.x));
  expect(code!.y).toBeLessThanOrEqual(amount!.y + 1);
  expect(help!.y + help!.height).toBeLessThanOrEqual(800);
});

describe('once the transfer is seen', () => {
  test.each(['seen', 'overpaid'] as const)('%s offers neither paying again nor cancelling', async (name) => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      server.show(PAYMENTS[name]);
      await page.goto(server.url);
      await page.locator('[data-scripted]').waitFor();
      const offers = '.qr, #open-wallet, #browser-wallet, #method-form, #cancel-form, .rows, .steps';
      expect(await page.locator(offers).count()).toBe(0);
    }
  });
});

describe('a receipt on paper', () => {
  test.each([
    ['completed', 'en', 'A4'],
    ['completed', 'de', 'Letter'],
    ['completed', 'ar', 'A4'],
    ['completed-owed', 'en', 'A4'],
    ['completed-owed', 'fr', 'Letter'],
    ['completed-refunds', 'en', 'A4'],
  ] as const)('%s in %s is one page of %s', async (name, locale, format) => {
    // One refund, rather than one in each of its states.
    const refunds = PAYMENTS[name].refunds.filter(({ status }) => status === 'completed');
    server.show({ ...PAYMENTS[name], refunds, receipt: { sentTo: null } });
    await page.goto(`${server.url}?lang=${locale}`);
    const printed = (await page.pdf({ format })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
