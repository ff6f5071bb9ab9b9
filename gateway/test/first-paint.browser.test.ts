import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { goodPassword, seedAccount } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// What the dashboard's pages show before their scripts and styles have come.

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});

type Shown = { ground: string; rail: string; band: string };

const faults: string[] = [];

/** A page whose scripts and styles never come. */
async function openBare(
  path: string,
  options: BrowserContextOptions,
  theme?: 'light' | 'dark',
): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.baseUrl, ...options });
  await context.route('**/app/assets/**', () => {});
  if (theme) await context.addInitScript(`localStorage.setItem('florin.theme', '${theme}')`);
  const page = await context.newPage();
  page.on('console', (message) => faults.push(message.text()));
  await page.goto(`/app${path}`, { waitUntil: 'commit' });
  // The last element of the page: its styles and scripts keep the rest from coming.
  await expect.poll(() => page.evaluate('document.querySelector("#shell, body > link") !== null')).toBe(true);
  return page;
}

const shown = `(() => {
  const box = (name) => {
    const element = document.querySelector('#shell ' + name);
    if (!element || !element.checkVisibility()) return 'none';
    const { width, height } = element.getBoundingClientRect();
    return width + ' x ' + height;
  };
  return { ground: getComputedStyle(document.body).backgroundColor, rail: box('b'), band: box('i') };
})()`;

async function look(
  path: string,
  { theme, ...options }: BrowserContextOptions & { theme?: 'light' | 'dark' } = {},
): Promise<Shown> {
  const page = await openBare(path, options, theme);
  const found = await page.evaluate<Shown>(shown);
  const { width = 0 } = options.viewport ?? {};
  await takePicture(page, `shell-${path.replace(/\W+/g, '-')}-${width}-${theme ?? options.colorScheme}`);
  await page.context().close();
  return found;
}

const paper = { light: 'rgb(251, 250, 247)', dark: 'rgb(20, 19, 16)' };
const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

test.each(['light', 'dark'] as const)('a page is paper from the first moment, in %s', async (colorScheme) => {
  const other = colorScheme === 'light' ? 'dark' : 'light';
  for (const path of ['/i/1/live/payments', '/sign-in', '/sign-up']) {
    expect((await look(path, { colorScheme, viewport: wide })).ground).toBe(paper[colorScheme]);
    // What the person chose comes before what the system says.
    const chosen = { colorScheme: other, theme: colorScheme, viewport: narrow } as const;
    expect((await look(path, chosen)).ground).toBe(paper[colorScheme]);
  }
});

test('it has the rail or the top bar from the first moment, and the band of test mode', async () => {
  const [live, own] = ['/i/1/live/payments', '/i/1/test/payments'];
  expect(await look(live, { viewport: wide })).toMatchObject({ rail: '248 x 800', band: 'none' });
  expect(await look(own, { viewport: wide })).toMatchObject({ rail: '248 x 800', band: '1032 x 36' });
  expect(await look(live, { viewport: narrow })).toMatchObject({ rail: '390 x 56', band: 'none' });
  expect(await look(own, { viewport: narrow })).toMatchObject({ rail: '390 x 56', band: '390 x 36' });
  expect(await look('/sign-up', { viewport: wide })).toMatchObject({ rail: 'none', band: 'none' });
});

test('the shell breaks no rule of the pages’ policy', () => {
  expect(faults.filter((text) => /Content Security Policy/.test(text))).toEqual([]);
});

test('while somebody types, the sign-in page fetches the program that they come to next', async () => {
  const { email } = await seedAccount(app.db);
  const context = await browser.newContext({ baseURL: app.baseUrl, locale: 'de' });
  const page = await context.newPage();
  const scripts = new Set<string>();
  page.on('requestfinished', (request) => {
    if (/\/app\/assets\/.+\.js$/.test(request.url())) scripts.add(request.url());
  });
  await page.goto('/app/sign-in');
  await page.locator('[type=submit]').waitFor();
  await page.waitForLoadState('networkidle');
  const before = scripts.size;
  await page.locator('[name=email]').pressSequentially(email);
  await page.locator('[name=password]').fill(goodPassword);
  await expect.poll(() => scripts.size).toBeGreaterThan(before + 3);
  const fetched = new Set(scripts);

  const fromNetwork: string[] = [];
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ response: { url, fromDiskCache } }) => {
    if (fetched.has(url) && !fromDiskCache) fromNetwork.push(url);
  });
  await page.locator('[type=submit]').click();
  await page.locator('h1').filter({ hasNotText: 'Anmelden' }).waitFor();
  expect(fromNetwork).toEqual([]);
  await context.close();
});
