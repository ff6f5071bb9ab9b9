import { readFileSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { announce } from '../../gateway/src/commands/announce.ts';
import { readConfig } from '../../gateway/src/config/config.ts';
import type { Demo } from '../../gateway/src/demo/seed.ts';
import { html } from '../../gateway/src/kit/http/html.ts';
import { openBrowser } from '../../gateway/test/browser/browser.ts';
import { openBusyPlace } from '../../gateway/test/browser/dashboard-fixture.ts';
import { openTab } from '../../gateway/test/browser/dashboard-look.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { openStates } from './state-server.ts';

// `npm run pictures`: the pictures of the README, each in light and dark, as a browser shows the page.

const folder = join(import.meta.dirname, '../../docs/images');
const tokens = readFileSync(join(import.meta.dirname, '../../web/tokens.css'), 'utf8');
const schemes = ['light', 'dark'] as const;
const mostBytes = 150_000;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  await mkdir(folder, { recursive: true });
});

async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    expect([path, (await stat(path)).size < mostBytes]).toEqual([path, true]);
  }
}

test('the hosted page, on a desk and on a phone', async () => {
  const { url, close } = await openStates();
  atFileEnd(close);
  for (const [name, state, viewport] of [
    ['page', 'linked', { width: 1200, height: 800 }],
    ['phone', 'linked', { width: 390, height: 844 }],
    ['paid', 'completed', { width: 390, height: 844 }],
  ] as const) {
    const page = await browser.newPage({ viewport, locale: 'en' });
    await page.goto(`${url}/pay?state=${state}`);
    await page.waitForLoadState('load');
    await keep(page, name);
    await page.close();
  }
});

test('the dashboard', async () => {
  const place = await openBusyPlace();
  const { page } = await openTab(browser, place, 'owner');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/app/i/${place.params.integration}/test/overview`);
  await page.waitForSelector('h1');
  await page.waitForLoadState('networkidle');
  await keep(page, 'dashboard');
});

/** What `npm start` prints, with made-up values in place of secrets. */
function startTable(): string {
  const file = {
    shop_url: 'http://127.0.0.1:4100',
    secret_key: 'sk_test_0123456789abcdefghijABCDEFGHIJ01',
    merchant: { email: 'owner@demo.example', password: 'word-word-word' },
    operator: { email: 'operator@demo.example', password: 'word-word-word' },
    users: [{ username: 'alice', password: 'word-word-word' }],
  };
  return announce(
    { config: { ...readConfig({}), dataDir: 'data' }, demo: { file } as unknown as Demo, setupLink: null },
    'all',
  );
}

test('the terminal', async () => {
  const page = await browser.newPage({ viewport: { width: 900, height: 420 } });
  const text = `$ npm start\n\n${startTable().trimEnd()}\n`;
  await page.setContent(
    html`<!doctype html><html lang="en"><title>Terminal</title><style>${tokens.replaceAll('"', "'")}
body { margin: 0; padding: 28px 32px; background: var(--surface); color: var(--ink); }
pre { margin: 0; font: 15px/1.55 var(--font-code); }</style><pre>${text}</pre></html>`.markup.replaceAll(
      '&#39;',
      "'",
    ),
  );
  const height: number = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: 900, height });
  await keep(page, 'terminal');
});
