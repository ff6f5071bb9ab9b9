import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type PageServer, startPageServer } from '../../test/browser/page-server.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;

beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const sentence = () => page.locator('h1').textContent();

async function openAndListen(payment: Parameters<PageServer['show']>[0]): Promise<void> {
  const listening = page.waitForResponse(/\/events/);
  server.show(payment);
  await page.goto(server.url);
  await listening;
}

test('a change updates the page and its title and is announced, without a reload', async () => {
  await openAndListen(PAYMENTS.linked);
  server.show(PAYMENTS.seen);
  await page.waitForSelector('main[data-screen=seen]');
  expect(await sentence()).toBe('Sent, waiting for the network');
  expect(await page.title()).toBe('Sent, waiting for the network · Acme Coffee Roasters');
  expect(await page.locator('#announcer').textContent()).toBe('Sent, waiting for the network');
});

test('a change keeps what the customer typed, opened and focused', async () => {
  await openAndListen(PAYMENTS.wallet);
  await page.fill('#username', 'john_doe');
  await page.click('#details-summary');
  await page.focus('#username');
  server.show({ ...PAYMENTS.wallet, version: 3 });
  await page.waitForSelector('main[data-version="3"]');
  expect(await page.inputValue('#username')).toBe('john_doe');
  expect(await page.locator('#details').getAttribute('open')).not.toBeNull();
  expect(await page.locator('#username:focus').count()).toBe(1);
  expect(await page.locator('#announcer').textContent()).toBe('');
});

test('the focus moves to the sentence of the new state when its element is gone', async () => {
  await openAndListen(PAYMENTS.wallet);
  await page.focus('#password');
  server.show(PAYMENTS.completed);
  await page.waitForSelector('main[data-screen=completed]');
  expect(await page.locator('h1:focus').count()).toBe(1);
});

test('coming back to the page fetches the state and opens a new stream', async () => {
  await openAndListen(PAYMENTS.linked);
  const reopened = page.waitForRequest(/\/events/);
  const asked = page.waitForRequest(/\/state/);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await Promise.all([reopened, asked]);
});

test('while the stream is broken the state is polled', async () => {
  await page.clock.install();
  await page.route(/\/events/, (route) => route.abort());
  server.show(PAYMENTS.linked);
  await page.goto(server.url);
  server.show(PAYMENTS.seen);
  await page.clock.runFor(6_000);
  await page.waitForSelector('main[data-screen=seen]');
});

// Text, because the tests' types have no `window`.
const countClosed = `
  const { close } = EventSource.prototype;
  EventSource.prototype.close = function () {
    window.closedStreams = (window.closedStreams ?? 0) + 1;
    close.call(this);
  };`;

test('once the stream says that nothing more is to come, it is neither opened again nor is the state polled', async () => {
  await page.clock.install();
  await page.addInitScript(countClosed);
  let asked = 0;
  await page.route(/\/(?:events|state)/, (route) => {
    asked += 1;
    return route.fulfill({ contentType: 'text/event-stream', body: 'event: over\ndata: {}\n\n' });
  });
  server.show(PAYMENTS.completed);
  await page.goto(server.url);
  await expect.poll(() => page.evaluate('window.closedStreams')).toBe(1);
  await page.clock.runFor(9_000);
  expect(asked).toBe(1);
});

test('the time left is shown in the last two minutes, and the next state after its end', async () => {
  await page.clock.install();
  const deadline = new Date(NOW.getTime() + 150_000);
  await openAndListen({ ...PAYMENTS.linked, deadline });
  expect(await page.locator('.timer').isVisible()).toBe(false);
  await page.clock.runFor(45_000);
  expect(await page.locator('.timer').textContent()).toMatch(/^Time left: 1:4\d$/);
  server.show({ ...PAYMENTS.linked, deadline }, { now: deadline });
  await page.clock.runFor(110_000);
  await page.waitForSelector('main[data-screen=expired]');
});

test('a copy button copies the value and shows that it did', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAndListen(PAYMENTS.linked);
  await page.click('#copy-address-0');
  // Not by `waitForFunction`: the page's policy refuses what it evaluates later than at once.
  await expect.poll(() => page.textContent('#copy-address-0')).toBe('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    PAYMENTS.linked.destinations[0]?.address,
  );
});

test('a notice is shown once, and removed from the address', async () => {
  server.show(PAYMENTS.wallet, { notice: 'wrong_password' });
  await page.goto(`${server.url}?notice=wrong_password&lang=en`);
  expect(page.url()).toBe(`${server.url}?lang=en`);
  expect(await page.locator('.notice').textContent()).toContain('Nothing was charged');
});

test('without script the page has the address, the simulation and a link to check again', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  server.show(PAYMENTS['linked-test']);
  await plain.goto(server.url);
  const address = PAYMENTS['linked-test'].destinations[0]?.address ?? '';
  expect(await plain.locator('main').textContent()).toContain(address);
  expect(await plain.locator('#simulate-success').isVisible()).toBe(true);
  expect(await plain.locator('.copy').first().isVisible()).toBe(false);
  await plain.getByRole('link', { name: 'Check again' }).click();
  expect(new URL(plain.url()).searchParams.get('reference')).toBe(PAYMENTS.linked.reference);
  await context.close();
});

test('without script outcomes can be combined in a form with an amount and a delay', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  server.show(PAYMENTS['linked-test']);
  await plain.goto(`${server.url}?lang=en`);
  await plain.locator('#mix-outcomes-summary').click();
  await plain.getByLabel('Confirmation').selectOption('slow');
  await plain.getByLabel('How', { exact: true }).selectOption('split');
  await plain.getByLabel(/^Amount in/).fill('12.5');
  await plain.getByLabel(/^Begins after/).fill('30');
  const sent = plain.waitForRequest((request) => request.url().endsWith('/simulate'));
  await plain.getByRole('button', { name: 'Play it' }).click();
  const form = new URLSearchParams((await sent).postData() ?? '');
  expect(form.getAll('outcome')).toEqual(['', '', 'split', 'slow', '']);
  expect([form.get('amount'), form.get('delay_seconds')]).toEqual(['12.5', '30']);
  await context.close();
});

test('without script a live page has every code, the form for a claim, and no button that needs a script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  server.show(PAYMENTS['linked-demo']);
  await plain.goto(server.url);
  for (const id of ['other-ways', 'address-code', 'transfer-code', 'claim', 'faucet']) {
    const summary = plain.locator(`#${id}${id.endsWith('-code') ? '-0' : ''}-summary`);
    if ((await summary.locator('..').getAttribute('open')) === null) await summary.click();
  }
  expect(await plain.locator('.qr').filter({ visible: true }).count()).toBe(2);
  expect(await plain.locator('#transfer-code-0 .qr').isVisible()).toBe(true);
  expect(await plain.locator('#claim-button').isVisible()).toBe(true);
  expect(await plain.locator('#faucet-button').isVisible()).toBe(true);
  expect(await plain.locator('#pay-wallet').isVisible()).toBe(false);
  expect(await plain.locator('.copy').filter({ visible: true }).count()).toBe(0);
  await context.close();
});

test('a live page loads four files, and its layout does not shift', async () => {
  await page.addInitScript(`
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith('http')) loaded.push(new URL(request.url()).pathname);
  });
  server.show(PAYMENTS['linked-demo']);
  const listening = page.waitForResponse(/\/events/);
  await page.goto(server.url);
  await listening;
  await page.locator('#pay-wallet[aria-disabled]').waitFor();
  expect(
    loaded.filter((path) => !/\/(events|state)$/.test(path)).map((path) => path.replace(/-[\w-]{16}/, '')),
  ).toEqual(['/pay', '/pay/page.css', '/pay/page.js', '/pay/wallet.js']);
  expect(await page.evaluate('window.shifts')).toBe(0);
});

test('confirmations are not announced, a new state is', async () => {
  await openAndListen(PAYMENTS.seen);
  const transfers = PAYMENTS.seen.transfers.map((transfer) => ({ ...transfer, confirmations: 2 }));
  server.show({ ...PAYMENTS.seen, transfers, version: 4 });
  await page.waitForSelector('main[data-version="4"]');
  expect(await page.locator('main').textContent()).toContain('2 of 3 confirmations');
  expect(await page.locator('#announcer').textContent()).toBe('');
});

test('what needs the script can be pressed once it runs, and no press is lost', async () => {
  const script = Promise.withResolvers<void>();
  await page.route(/page-[\w-]{16}\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  server.show(PAYMENTS['linked-demo']);
  await page.goto(server.url, { waitUntil: 'commit' });
  await page.locator('footer').waitFor();
  const inNeed = page.locator('.needs-script');
  expect(await inNeed.count()).toBeGreaterThan(2);
  // The style sheet may come after the page's last element.
  await expect.poll(() => inNeed.filter({ visible: true }).count()).toBe(0);
  const pressed = page.click('#pay-wallet');
  script.resolve();
  await pressed;
  await page.locator('main').getByText('This browser has no wallet.').waitFor();
});

test('a press before the wallet script is loaded takes effect afterwards', async () => {
  const script = Promise.withResolvers<void>();
  await page.route(/wallet-[\w-]{16}\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  server.show(PAYMENTS['linked-demo']);
  const asked = page.waitForRequest(/wallet-[\w-]{16}\.js$/);
  await page.goto(server.url);
  await asked;
  await page.click('#pay-wallet');
  script.resolve();
  await page.locator('main').getByText('This browser has no wallet.').waitFor();
});
