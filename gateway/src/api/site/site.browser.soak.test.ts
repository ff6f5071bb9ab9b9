import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../../test/browser/axe.ts';
import { openBrowser } from '../../../test/browser/browser.ts';
import { openLook, shiftsOf } from '../../../test/browser/checkout-look.ts';
import { inEveryLook, takePicture } from '../../../test/browser/pictures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

let app: RunningApp;
let browser: Browser;

beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
});

const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;

/** The bytes on the wire of everything that a page loads. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  return async () => (await Promise.all(sizes.splice(0))).reduce((sum, size) => sum + size, 0);
}

/** Each page in one of the two looks; `npm run test:soak`: in both. */
const paths = [
  '/docs/',
  '/docs/cli',
  '/reference/',
  '/reference/payments',
  '/reference/errors',
  '/reference/webhooks',
];
const inTurn = (first: 0 | 1) => paths.filter((_, at) => inEveryLook || at % 2 === first);

test.each([
  ['wide and light', wide, inTurn(1)],
  ['on a phone in the dark', phone, inTurn(0)],
])(
  'pages are accessible, fit the screen, weigh less than 60 KB and break no rule of their policy, %s',
  async (look, options, seen) => {
    const { page, faults } = await openLook(browser, options);
    const bytes = countBytes(page);
    for (const path of seen) {
      await page.goto(app.baseUrl + path, { waitUntil: 'networkidle' });
      const weight = await bytes();
      if (weight > 60_000) faults.push(`${path} weighs ${weight}`);
      await takePicture(page, `site/${look}${path.replaceAll('/', '-')}`, { fullPage: false });
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
      const wrong = await findViolations(page);
      const wider: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (wider > 0) wrong.push(`${wider} px wider than the screen`);
      faults.push(...wrong.map((fault) => `${path}: ${fault}`));
    }
    await page.close();
    expect(faults).toEqual([]);
  },
);

test('the first page leads to the quick start, and links lead to pages that exist', async () => {
  const links = async (path: string) => {
    const { text } = await app.api('GET', path, { key: null });
    return [...text.matchAll(/href="(\/(?:docs|reference)\/[^"#]*)/g)].map(([, link]) => link!);
  };
  const first = await links('/docs/');
  expect(
    first.find((link) => !link.endsWith('.css') && link !== '/docs/' && link !== '/reference/'),
  ).toBeDefined();
  expect(first).toContain('/docs/quick-start');
  const all = new Set([...first, ...(await links('/reference/'))]);
  const broken: string[] = [];
  for (const link of all) {
    const { status, text } = await app.api('GET', link, { key: null });
    if (status !== 200 || text.includes('](')) broken.push(`${link}: ${status}`);
  }
  expect(broken).toEqual([]);
  expect(all.size).toBeGreaterThan(40);
});

test('the search finds a heading by the beginnings of its words, and leads there by the keyboard alone', async () => {
  const { page } = await openLook(browser, wide);
  await page.goto(`${app.baseUrl}/docs/`);
  await page.keyboard.press('/');
  await page.keyboard.type('paused endp');
  await page.waitForSelector('#found a');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/webhooks#paused-and-disabled-endpoints');
  await page.close();
});

test('a language that is chosen at one call is that of all, also on the next page', async () => {
  const { page } = await openLook(browser, wide);
  await page.goto(`${app.baseUrl}/reference/payments`);
  await page.locator('#createPayment ~ * label', { hasText: 'Go' }).click();
  await page.waitForSelector('text=client.Payments.Create(');
  await page.goto(`${app.baseUrl}/reference/balances`);
  await page.waitForSelector('text=client.Balances.List(');
  await page.close();
});

test('samples have the test key of a reader who is signed in, which no page has that is sent', async () => {
  const { page } = await openLook(browser, wide);
  await page.route('**/console/integrations/**', (route) =>
    route.fulfill({
      json: { message: 'Secrets', data: { items: [{ id: 'x', secret_key: 'sk_test_mine' }] } },
    }),
  );
  await page.goto(`${app.baseUrl}/reference/balances`);
  expect(await page.textContent('.key')).toBe('sk_test_YOUR_KEY');
  await page.evaluate(`localStorage.setItem('florin.place', 'shop/test')`);
  const answer = await page.reload();
  await page.waitForSelector('.key:has-text("sk_test_mine")');
  expect(await answer!.text()).not.toContain('sk_test_mine');
  await page.close();
});

test('without JavaScript every page can be read, and every sample be chosen', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.baseUrl}/reference/payments`);
  expect(await page.isVisible('#search')).toBe(false);
  await page.locator('#createPayment ~ * label', { hasText: 'Python' }).click();
  await page.waitForSelector('text=from florin import Client');
  await context.close();
});

test('a page that a browser has is not sent again', async () => {
  const first = await app.api('GET', '/docs/api', { key: null });
  const again = await app.api('GET', '/docs/api', {
    key: null,
    headers: { 'if-none-match': first.headers.get('etag')! },
  });
  expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
});

/** Serves the app's own files, and of documents first what stands before `cut`, then the rest when it is called for. */
async function serveInParts(
  cut: string | RegExp,
): Promise<{ url: string; rest: () => void; close: () => Promise<void> }> {
  const waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const answer = await fetch(app.baseUrl + request.url);
    const type = answer.headers.get('content-type') ?? '';
    const body = Buffer.from(await answer.arrayBuffer());
    response.setHeader('content-type', type);
    if (!type.startsWith('text/html')) return response.end(body);
    const end = body.toString('latin1').search(cut);
    response.write(body.subarray(0, end));
    waiting.push(() => response.end(body.subarray(end)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rest: () => {
      for (const send of waiting.splice(0)) send();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const pages = ['/docs/cli', '/docs/quick-start', '/reference/payments'];
const withTables = ['/docs/glossary', '/reference/payments'];
/** The rows that follow may make the columns of a table wider. */
const secondRow = /(?<=<\/td>\s*<\/tr>\s*)<tr>/;

const cuts: [look: string, cut: string | RegExp, options: BrowserContextOptions, paths: string[]][] = [
  ['wide', '</h1>', wide, pages],
  ['on a phone', '<main', phone, pages],
  ['on a phone', '</main>', phone, pages],
  ['on a phone', secondRow, phone, withTables],
];
const cutsOfSoak: typeof cuts = [
  ['on a phone', '</h1>', phone, pages],
  ['wide', '</main>', wide, pages],
  ['wide', secondRow, wide, withTables],
];

test.each(inEveryLook ? [...cuts, ...cutsOfSoak] : cuts)(
  'a page that comes in parts stays where it is, %s, cut at %s',
  async (_, cut, options, paths) => {
    const server = await serveInParts(cut);
    const { page } = await openLook(browser, options);
    for (const path of paths) {
      await page.goto(server.url + path, { waitUntil: 'commit' });
      await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
      server.rest();
      await page.waitForLoadState('load');
      expect([path, await shiftsOf(page)]).toEqual([path, []]);
    }
    await page.close();
    await server.close();
  },
);
