import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { test } from 'vitest';
import { openBrowser } from '../../gateway/test/browser/browser.ts';
import { openBusyPlace, type Place } from '../../gateway/test/browser/dashboard-fixture.ts';
import { openTab } from '../../gateway/test/browser/dashboard-look.ts';
import { pages } from '../../gateway/test/browser/dashboard-pages.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { password } from '../../gateway/test/support/console.ts';
import { seedBalance, seedUser } from '../../gateway/test/support/fixtures.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { table } from '../markdown-table.ts';
import { openStates } from './state-server.ts';
import { type Cost, measureVisit } from './visit.ts';

// `npm run experience`: what each page costs a phone on a slow connection, printed and written to docs/experience.md.

const file = join(import.meta.dirname, '../../docs/experience.md');
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  locale: 'en',
  reducedMotion: 'reduce',
  // A worker answers from its cache, and the first visit is measured.
  serviceWorkers: 'block',
};
const rows = new Map<string, [name: string, cost: Cost][]>();

async function open(options: BrowserContextOptions): Promise<BrowserContext> {
  return await (await openBrowser()).newContext(options);
}

/** Measures addresses one after the other: two at once would share the processor. */
async function measure(
  title: string,
  context: BrowserContext,
  urls: Record<string, string>,
  isFirst = true,
): Promise<void> {
  const done: [string, Cost][] = [];
  for (const [name, url] of Object.entries(urls)) {
    const cost = await measureVisit(context, url, { isFirst });
    done.push([name, cost]);
    process.stdout.write(`${title}, ${name}: ${cellsOf(cost).join(' | ')}\n`);
  }
  rows.set(title, done);
}

const cellsOf = ({ bytes, requests, lcp, cls, axe: faults }: Cost): string[] => [
  `${(bytes / 1000).toFixed(1)}`,
  `${requests}`,
  `${(lcp / 1000).toFixed(2)}`,
  cls.toFixed(3),
  `${faults}`,
];

test('the hosted page', async () => {
  const { url, names, close } = await openStates();
  atFileEnd(close);
  const urls = Object.fromEntries(names.map((name) => [name, `${url}/pay?state=${name}`]));
  await measure('The hosted page, by state', await open(phone), urls);
});

test('the wallet', async () => {
  const { baseUrl, db } = await startApp({ env: { WALLETS: 'invitation' } });
  const owner = await seedUser(db, 'ada', password);
  await seedBalance(db, { owner, kind: 'user', mode: 'live', asset: 'usdc-base', units: 25_500_000n });
  const context = await open(phone);
  await measure('The wallet', context, {
    'sign in': `${baseUrl}/wallet/sign-in`,
    'sign up': `${baseUrl}/wallet/sign-up`,
  });
  const [before] = [rows.get('The wallet') ?? []];
  const page = await context.newPage();
  await page.goto(`${baseUrl}/wallet/sign-in`);
  await page.fill('[name=username]', 'ada');
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForURL(/\/wallet\/(?:\?|$)/), page.click('main form .button')]);
  const own = ['', 'history', 'receive', 'send', 'withdraw', 'account'];
  const urls = own.map((path) => [path === '' ? 'home' : path, `${baseUrl}/wallet/${path}`]);
  await measure('The wallet', context, Object.fromEntries(urls));
  rows.set('The wallet', [...before, ...(rows.get('The wallet') ?? [])]);
});

test('the dashboard', async () => {
  const place = await openBusyPlace();
  for (const visitor of ['nobody', 'owner', 'operator'] as const) {
    const isSignedIn = visitor !== 'nobody';
    const { page } = await openTab(await openBrowser(), place, 'nobody');
    if (isSignedIn) await signIn(page, place, visitor);
    const own = Object.keys(pages).filter((path) => pages[path]?.as === visitor);
    const urls = own.map((path) => [path.replace('/i/$integration/$mode', ''), addressOf(place, path)]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.close();
    await measure(`The dashboard, ${visitor}`, page.context(), Object.fromEntries(urls), !isSignedIn);
  }
});

/** Signs in by the page, which fetches the program while somebody types, and stays there until that has come. */
async function signIn(page: Page, { app, people }: Place, person: 'owner' | 'operator'): Promise<void> {
  await people.as(person);
  await page.goto(`${app.baseUrl}/app/sign-in?next=/account`);
  await page.getByLabel('E-mail address').fill(`${person}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
}

const addressOf = ({ app, params }: Place, path: string): string =>
  `${app.baseUrl}/app${path.replace(/\$(\w+)/g, (_, name: string) => params[name] ?? 'unknown')}`;

test('the documentation', async () => {
  const { baseUrl } = await startApp();
  const paths = [
    '/docs/',
    '/docs/quick-start',
    '/docs/cli',
    '/reference/',
    '/reference/payments',
    '/reference/errors',
  ];
  await measure(
    'The documentation',
    await open(phone),
    Object.fromEntries(paths.map((path) => [path, baseUrl + path])),
  );
});

test('the table is written', () => {
  const parts = [...rows].map(([title, costs]) => {
    const heads = ['page', 'KB', 'requests', 'LCP in s', 'CLS', 'axe'];
    return `## ${title}\n\n${table(
      heads,
      costs.map(([name, cost]) => [name, ...cellsOf(cost)]),
    )}\n`;
  });
  const [start = ''] = readFileSync(file, 'utf8').split('<!-- measured -->');
  writeFileSync(file, `${start}<!-- measured -->\n\n${parts.join('\n')}`);
});
