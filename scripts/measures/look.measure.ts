import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../gateway/test/browser/browser.ts';
import { openBusyPlace } from '../../gateway/test/browser/dashboard-fixture.ts';
import { openTab } from '../../gateway/test/browser/dashboard-look.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { openStates } from './state-server.ts';

// `npm run pictures`: the pictures of docs/look.md, each a part of a page as a browser shows it, at two pixels for one.

const pictures = join(import.meta.dirname, '../../docs/images');
const mostBytes = 100_000;
const around = 8;
const desk = { width: 1200, height: 800 };
const narrow = { width: 680, height: 800 };
const phone = { width: 390, height: 844 };
let browser: Browser;
let states: Awaited<ReturnType<typeof openStates>>;

beforeAll(async () => {
  browser = await openBrowser();
  await mkdir(pictures, { recursive: true });
  states = await openStates();
  atFileEnd(states.close);
});

async function openAt(url: string, viewport: { width: number; height: number }): Promise<Page> {
  const page = await browser.newPage({ viewport, locale: 'en', deviceScaleFactor: 2 });
  await page.goto(url);
  await page.waitForLoadState('load');
  return page;
}

/** Takes a picture of the beginning of a part of a page, with some of what is around it, in light and in dark. */
async function keepPart(part: Locator, name: string, height: number): Promise<void> {
  const page = part.page();
  await part.scrollIntoViewIfNeeded();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const box = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [Math.max(0, box.x - around), Math.max(0, box.y - around)];
    const clip = { x, y, width: box.width + 2 * around, height: Math.min(height, box.height + 2 * around) };
    const path = join(pictures, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, clip, animations: 'disabled' });
    expect([path, (await stat(path)).size < mostBytes]).toEqual([path, true]);
  }
}

type Part = {
  name: string;
  state: string;
  viewport: typeof desk;
  part: (page: Page) => Locator;
  height: number;
};

// Heights end between two lines.
const parts: Part[] = [
  { name: 'coin', state: 'completed', viewport: phone, part: (page) => page.locator('.pay'), height: 190 },
  { name: 'type', state: 'linked', viewport: desk, part: (page) => page.locator('.order'), height: 194 },
  {
    name: 'space',
    state: 'linked',
    viewport: phone,
    part: (page) => page.locator('.destination').first(),
    height: 186,
  },
  { name: 'words', state: 'seen', viewport: phone, part: (page) => page.locator('.pay'), height: 172 },
  {
    name: 'test',
    state: 'linked-test',
    viewport: phone,
    part: (page) => page.locator('.test-banner'),
    height: 60,
  },
];

test.each(parts)('of the hosted page: $name', async ({ name, state, viewport, part, height }) => {
  const page = await openAt(`${states.url}/pay?state=${state}`, viewport);
  await keepPart(part(page), `look-${name}`, height);
  await page.close();
});

test('of the dashboard: a list', async () => {
  const place = await openBusyPlace();
  const signedIn = await openTab(browser, place, 'owner');
  const storageState = await signedIn.page.context().storageState();
  const context = { storageState, viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 };
  const page = await browser.newPage({ ...context, baseURL: place.app.baseUrl });
  await page.goto(`/app/i/${place.params.integration}/test/payments`);
  await page.waitForSelector('tbody tr');
  await page.waitForLoadState('networkidle');
  await keepPart(page.locator('table').first(), 'look-table', 184);
  await page.close();
});

test('of the docs: code', async () => {
  const app = await startApp();
  const page = await openAt(`${app.baseUrl}/docs/webhooks`, narrow);
  await page.waitForSelector('.copy');
  await keepPart(page.locator('.code:has([data-language=js])').first(), 'look-code', 168);
  await page.close();
});
