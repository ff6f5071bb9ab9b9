import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { languages } from '../../web/dashboard/src/texts/languages.ts';
import { openBrowser } from './browser/browser.ts';
import { watchShifts } from './browser/dashboard-look.ts';
import { type RunningApp, startApp } from './support/running.ts';

// What a first visit to the sign-in page loads, with a real browser from the gateway as it serves.

let app: RunningApp;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});
afterEach(() => context.close());

type Weight = { bytes: number; scripts: number; withReact: number; shift: number };

/** Opens a page as somebody who was never there, and waits until nothing more comes. By name: so there are passkeys. */
async function weigh(path: string, title: string, options: BrowserContextOptions = {}): Promise<Weight> {
  await context?.close();
  const baseURL = app.baseUrl.replace('127.0.0.1', 'localhost');
  context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`/app${path}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const texts = await Promise.all(scripts.map(async (url) => await (await page.request.get(url)).text()));
  const withReact = texts.filter((text) => /react\.\w+\.element|Minified React error/.test(text)).length;
  return { bytes, scripts: texts.length, withReact, shift: await page.evaluate('shift') };
}

function judge({ bytes, scripts, withReact, shift }: Weight): void {
  expect(bytes).toBeGreaterThan(5_000);
  expect(bytes).toBeLessThan(60_000);
  expect(scripts).toBeGreaterThan(0);
  expect(scripts).toBeLessThanOrEqual(4);
  expect(withReact).toBe(0);
  expect(shift).toBeLessThanOrEqual(0.03);
}

test.each([
  ['/sign-in', 390],
  ['/sign-in?next=/account', 1280],
  ['/', 1280],
  ['/i/1/test/payments?q=x', 390],
])(
  '%s is the sign-in page in less than 60 KB and four scripts, without React, and stays as it is painted',
  async (path, width) => {
    judge(await weigh(path, 'Sign in', { viewport: { width, height: 844 } }));
  },
);

test.each([
  ['/sign-up', 'Create an account'],
  ['/reset-password', 'Forgot your password?'],
])('%s does not move when its script comes late', async (path, title) => {
  context = await browser.newContext({ baseURL: app.baseUrl, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  const { promise: isOutlined, resolve: letCome } = Promise.withResolvers<void>();
  await page.route(new RegExp(`${path}-page-[^/]+\\.js$`), async (route) => {
    await isOutlined;
    await route.continue();
  });
  await page.goto(`/app${path}`, { waitUntil: 'commit' });
  await page.locator('main .animate-pulse').first().waitFor();
  letCome();
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  // A frame that moved is reported with the next one.
  await page.evaluate('new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))');
  expect(await page.evaluate('shift')).toBe(0);
});

test('the dashboard itself is more, which is how this test knows', async () => {
  const { bytes, withReact } = await weigh('/sign-up', 'Create an account');
  expect(bytes).toBeGreaterThan(60_000);
  expect(withReact).toBeGreaterThan(0);
});

const textsIn = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../web/dashboard/src/texts/${name}.json`, import.meta.url), 'utf8'));

test.each(Object.keys(languages).filter((code) => code !== 'en'))(
  'so it is in %s, which its refusals are in too',
  async (locale) => {
    const { 'Sign in': title = '' } = textsIn(locale);
    judge(await weigh('/sign-in', title, { locale }));
    judge(await weigh('/', title, { locale }));
    const page = context.pages()[0];
    await page?.locator('[name=email]').fill('nobody@lumen.example');
    await page?.locator('[name=password]').fill('not the password');
    await page?.locator('[type=submit]').click();
    const { 'The e-mail address or the password is not right': wrong = 'not translated' } = textsIn(
      `gateway/${locale}`,
    );
    await page?.getByRole('alert').filter({ hasText: wrong }).waitFor();
  },
);
