import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../test/browser.ts';
import { type PageServer, startPageServer } from '../../test/page-server.ts';
import { PAYMENTS } from './fixtures.ts';
import type { Locale } from './locale.ts';

const SCREENSHOTS = new URL('../../../screenshots/checkout/', import.meta.url);
const LOOKS: Record<string, { locale: Locale; options: BrowserContextOptions }> = {
  light: { locale: 'en', options: { viewport: { width: 720, height: 900 }, colorScheme: 'light' } },
  dark: { locale: 'de', options: { viewport: { width: 720, height: 900 }, colorScheme: 'dark' } },
  narrow: { locale: 'fr', options: { viewport: { width: 320, height: 640 }, colorScheme: 'light' } },
  arabic: { locale: 'ar', options: { viewport: { width: 440, height: 900 }, colorScheme: 'light' } },
};

// What runs inside the page is text, because the gateway's types know no document.
const RUN_AXE = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' | ')))`;
const OPEN_ALL = `for (const details of document.querySelectorAll('details:not([name])')) details.open = true;`;
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';
/** Controls smaller than a finger, in CSS pixels; a radio button is pressed by its label. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, a, summary, textarea, .field input, .method label')]
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && (height < 44 || width < 44);
  })
  .map((element) => element.outerHTML)`;

let server: PageServer;
let browser: Browser;
let axe: string;

beforeAll(async () => {
  server = await startPageServer();
  browser = await launchBrowser();
  axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await mkdir(SCREENSHOTS, { recursive: true });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe.each(Object.entries(LOOKS))('in the %s look', (look, { locale, options }) => {
  test('every state is accessible, keeps to the screen and obeys the policy', async () => {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    await page.addInitScript(axe);
    const found: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) found.push(message.text());
    });
    for (const [name, payment] of Object.entries({ ...PAYMENTS, 'not-found': null })) {
      server.show(payment);
      await page.goto(`${server.url}?lang=${locale}`);
      await page.screenshot({
        path: fileURLToPath(new URL(`${name}-${look}.png`, SCREENSHOTS)),
        fullPage: true,
      });
      await page.evaluate(OPEN_ALL);
      const faults: string[] = await page.evaluate(RUN_AXE);
      const small: string[] = await page.evaluate(SMALL_TARGETS);
      const overflow: number = await page.evaluate(OVERFLOW);
      found.push(...[...faults, ...small].map((fault) => `${name}: ${fault}`));
      if (overflow > 0) found.push(`${name}: ${overflow} px wider than the screen`);
    }
    await page.close();
    expect(found).toEqual([]);
  }, 120_000);
});
