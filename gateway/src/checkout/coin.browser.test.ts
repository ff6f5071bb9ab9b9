import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { startPageServer } from '../../test/browser/page-server.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);

// Text, because the tests' types have no `document`. A reload counts anew.
const counting = `
  window.strikes = 0;
  document.addEventListener('animationstart', ({ animationName }) => {
    if (animationName === 'strike') window.strikes += 1;
  });`;

async function open(payment: PaymentName, fragment = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(counting);
  server.show(PAYMENTS[payment]);
  const isScripted = options.javaScriptEnabled !== false;
  const listening = isScripted ? page.waitForResponse(/\/events/) : null;
  await page.goto(`${server.url}?lang=en${fragment}`);
  await listening;
  return page;
}

const strikesOn = (page: Page): Promise<number> => page.evaluate('window.strikes');
/** A strike would have begun by then. */
const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

async function becomes(page: Page, name: PaymentName, version: number): Promise<void> {
  server.show({ ...PAYMENTS[name], version });
  await page.waitForSelector(`main[data-version="${version}"]`);
  await drawn(page);
}

describe('the coin', () => {
  test('is struck when the payment is paid, once, in less than 600 ms', async () => {
    const page = await open('linked');
    await becomes(page, 'seen', 10);
    expect([await page.locator('.florin').count(), await strikesOn(page)]).toEqual([0, 0]);
    await becomes(page, 'completed', 11);
    await expect.poll(() => strikesOn(page)).toBe(1);
    const duration = `getComputedStyle(document.querySelector('.florin')).animationDuration`;
    expect(await page.evaluate(duration)).toMatch(/^0\.[1-5]\d*s$/);
    // The same screen in another version.
    await becomes(page, 'completed-refunds', 12);
    expect(await strikesOn(page)).toBe(1);
    await page.reload();
    await drawn(page);
    expect([await page.locator('.florin').isVisible(), await strikesOn(page)]).toEqual([true, 0]);
    await page.context().close();
  });

  test('is struck on the page that a form led to, and not when that is loaded or changed again', async () => {
    const page = await open('completed', '#new');
    await expect.poll(() => strikesOn(page)).toBe(1);
    expect(page.url()).toBe(`${server.url}?lang=en`);
    await becomes(page, 'completed-refunds', 12);
    expect(await strikesOn(page)).toBe(1);
    await page.reload();
    await drawn(page);
    expect(await strikesOn(page)).toBe(0);
    await page.context().close();
  });

  test('is not struck where a paid page is opened, nor where its customer wants less motion', async () => {
    const opened = await open('completed');
    await drawn(opened);
    expect(await strikesOn(opened)).toBe(0);
    await opened.context().close();
    const still = await open('linked', '', { reducedMotion: 'reduce' });
    await becomes(still, 'completed', 11);
    expect(await still.locator('.florin').isVisible()).toBe(true);
    expect(await still.evaluate('document.getAnimations().length')).toBe(0);
    expect(await strikesOn(still)).toBe(0);
    await still.context().close();
  });

  test('lies there without a script, and no other state has one', async () => {
    const plain = await open('completed', '#new', { javaScriptEnabled: false });
    expect(await plain.locator('.florin').isVisible()).toBe(true);
    expect(await plain.locator('.florin').getAttribute('aria-hidden')).toBe('true');
    await plain.context().close();
    const names = Object.keys(PAYMENTS) as PaymentName[];
    const withCoin: string[] = [];
    for (const name of names) {
      server.show(PAYMENTS[name]);
      if ((await (await fetch(server.url)).text()).includes('class="florin"')) withCoin.push(name);
    }
    expect(withCoin).toEqual(names.filter((name) => PAYMENTS[name].status === 'completed'));
  });

  test('costs no request', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    server.show(PAYMENTS.completed);
    const listening = page.waitForResponse(/\/events/);
    await page.goto(server.url);
    await listening;
    const files = loaded.filter((url) => /^http/.test(url)).map((url) => new URL(url).pathname);
    expect(files.map((path) => path.replace(/-[\w-]{16}/, ''))).toEqual([
      ...['/pay', '/pay/page.css', '/pay/page.js'],
      '/pay/events',
    ]);
    await context.close();
  });

  test('moves nothing beside it, and fits on a phone while it is struck', async () => {
    const page = await open('seen', '', { viewport: { width: 320, height: 640 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    // It stays as it begins, which is when it is largest.
    await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await becomes(page, 'completed', 11);
    expect(await page.evaluate('document.getAnimations().length')).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.context().close();
  });
});
