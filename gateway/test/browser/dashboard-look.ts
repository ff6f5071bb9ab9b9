import type { Browser, BrowserContext, Page } from 'playwright-core';
import { password } from '../support/console.ts';
import { findFaintText, findViolations } from './axe.ts';
import type { Place } from './dashboard-fixture.ts';
import type { Visitor } from './dashboard-pages.ts';
import { inEveryLook, takePicture } from './pictures.ts';

/** A width and colours in which a page is tested: by all rules, or for contrast alone. */
export type Look = {
  name: string;
  width: number;
  colorScheme: 'light' | 'dark';
  rules: 'all' | 'contrast';
};

const wideLight: Look = { name: '1280-light', width: 1280, colorScheme: 'light', rules: 'all' };
const wideDark: Look = { name: '1280-dark', width: 1280, colorScheme: 'dark', rules: 'all' };
export const narrowDark: Look = { name: '360-dark', width: 360, colorScheme: 'dark', rules: 'all' };
const narrowLight: Look = { name: '360-light', width: 360, colorScheme: 'light', rules: 'all' };

/** Each width and each colour once: the elements are the same, and tested by all rules once. */
export const twoLooks: readonly Look[] = [wideLight, { ...narrowDark, rules: 'contrast' }];

/**
 * Two of the four looks have the elements of one and the colours of the other, and are tested for contrast. One differs
 * from the next in one thing, which is less to lay out.
 */
const all: readonly Look[] = [
  wideLight,
  { ...wideDark, rules: 'contrast' },
  narrowDark,
  { ...narrowLight, rules: 'contrast' },
];
// What the pages have in common is so seen in all four looks.
const oneInTurn: readonly Look[] = [wideLight, narrowDark, wideDark, narrowLight];

/** The looks of the page of that number: all four, or one in turn. */
export function looksAt(number: number): readonly Look[] {
  return inEveryLook ? all : oneInTurn.slice(number % 4).slice(0, 1);
}

/** The looks of a page where most elements are those of pages that are tested in all four looks. */
export const fewLooks: readonly Look[] = [wideLight, narrowDark];

// Scripts that run inside the page are text, because the tests' types have no `document`. It does not look at each frame:
// what waits for a frame has it drawn, and drawing took a sixth of the CPU.
const loaded = `new Promise((resolve, reject) => {
  const deadline = performance.now() + 30_000;
  const look = () => {
    const isWaiting = document.querySelector('.animate-pulse, [aria-busy=true]') !== null;
    if (document.querySelector('h1') !== null && !isWaiting) resolve();
    else if (performance.now() > deadline) reject(new Error('Not loaded: ' + location.href));
    else setTimeout(look, 25);
  };
  look();
})`;
const facts = `({
  headings: document.querySelectorAll('h1').length,
  title: document.title,
  overflow: document.documentElement.scrollWidth - innerWidth,
})`;

// Buttons that another element covers: it would receive their clicks.
const covered = `[...[...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1)?.querySelectorAll('button') ?? []]
  .filter((button) => button.checkVisibility())
  .filter((button) => {
    button.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })
  .map((button) => 'covered: ' + button.outerHTML.slice(0, 160))`;

/** A script for a page that counts in `shift` how far what is shown has moved since the page was opened. */
export const watchShifts = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;
const mostShift = 0.03;

type Facts = { headings: number; title: string; overflow: number };

/** A tab of a visitor, and the errors and warnings of its console. */
export type Tab = { page: Page; faults: string[] };

/** Opens a tab for a visitor, who is signed in unless it is `nobody`. */
export async function openTab(browser: Browser, { app, people }: Place, visitor: Visitor): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: app.baseUrl });
  if (visitor !== 'nobody') await signIn(context, app.baseUrl, visitor, () => people.as(visitor));
  await context.addInitScript(watchShifts);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    const isRefusal = /status of (400|401|404)/.test(message.text());
    // Pages about things that do not exist get such answers, which the browser logs as errors.
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text());
  });
  return { page, faults };
}

async function signIn(
  context: BrowserContext,
  baseUrl: string,
  visitor: Visitor,
  make: () => Promise<unknown>,
): Promise<void> {
  await make();
  const answer = await context.request.post('/console/auth/sign-in', {
    data: { email: `${visitor}@example.com`, password },
    headers: { origin: baseUrl },
  });
  if (!answer.ok()) throw new Error(`${visitor} cannot sign in: ${await answer.text()}`);
}

/** Waits until the page has loaded everything. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(loaded);
}

/** Opens a page of the dashboard by its address, and waits until it has loaded everything. */
export async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settle(page);
}

/** Says so where what a page shows has moved while it loaded. */
export async function findShift(page: Page): Promise<string[]> {
  const shift = await page.evaluate<number>('shift');
  return shift > mostShift ? [`what is shown moved while it loaded: CLS ${shift.toFixed(3)}`] : [];
}

/** The same by the router, as a link does, in a tab that has a page of the dashboard open. The sign-in page has no router. */
export async function follow(page: Page, address: string): Promise<void> {
  if (!(await page.evaluate("'__TSR_ROUTER__' in self"))) return await load(page, address);
  await page.evaluate(`new Promise((resolve) => {
    const router = self.__TSR_ROUTER__;
    const end = router.subscribe('onResolved', () => { end(); resolve(); });
    router.history.push(${JSON.stringify(address)});
  })`);
  await settle(page);
}

/** Shows the open page in one look, takes its picture, and returns its faults. */
export async function judge(page: Page, look: Look, picture: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: look.width, height: look.width === 360 ? 740 : 900 });
  await takePicture(page, picture);
  const faults = await (look.rules === 'all' ? findViolations(page) : findFaintText(page));
  faults.push(...(await page.evaluate<string[]>(covered)));
  const { headings, title, overflow } = await page.evaluate<Facts>(facts);
  if (headings !== 1) faults.push(`${headings} headings of the first level`);
  if (!/\S · Florin$/.test(title)) faults.push(`the title is “${title}”`);
  if (overflow > 0) faults.push(`${overflow} px wider than the screen`);
  return faults;
}
