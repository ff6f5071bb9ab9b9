import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Locale } from '../../src/checkout/locale.ts';
import { findViolations } from './axe.ts';
import { inEveryLook, takePicture } from './pictures.ts';

type Seen = { locale: Locale; options: BrowserContextOptions };

/** Each end of what a page is shown in: narrow and wide, light and dark, from the left and from the right. */
const opposites: Record<string, Seen> = {
  narrow: { locale: 'fr', options: { viewport: { width: 320, height: 640 }, colorScheme: 'light' } },
  mirrored: { locale: 'ar', options: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' } },
};
const others: Record<string, Seen> = {
  light: { locale: 'en', options: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' } },
  dark: { locale: 'de', options: { viewport: { width: 720, height: 900 }, colorScheme: 'dark' } },
  arabic: { locale: 'ar', options: { viewport: { width: 440, height: 900 }, colorScheme: 'light' } },
};

/** The widths, colours and languages in which the hosted page is tested. */
export const looks: Record<string, Seen> = inEveryLook ? { ...opposites, ...others } : opposites;

/**
 * Whether the page of that number is seen in a look: in each, or in one of them in turn. What the pages have in common
 * is so seen in all of them.
 */
export function isSeenIn(look: string, number: number): boolean {
  const names = Object.keys(looks);
  return inEveryLook || names[number % names.length] === look;
}

// Scripts that run inside the page are text, because the gateway's types have no `document`.
const openAll = `for (const details of document.querySelectorAll('details:not([name])')) details.open = true;`;
const overflow = 'document.documentElement.scrollWidth - innerWidth';
/** Controls smaller than a finger, in CSS pixels; a radio button is pressed by its label. */
const smallTargets = `[...document.querySelectorAll('button, a, summary, textarea, .field input, .method label')]
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && (height < 44 || width < 44);
  })
  .map((element) => element.outerHTML)`;

/** Opens a tab whose pages can be judged. `faults` collects errors, and violations of the content security policy. */
export async function openLook(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  return { page, faults };
}

/** Takes a picture of the page, opens all its disclosures, and returns its faults. */
export async function judge(page: Page, name: string): Promise<string[]> {
  await takePicture(page, `checkout/${name}`);
  await page.evaluate(openAll);
  const faults = await findViolations(page);
  const small: string[] = await page.evaluate(smallTargets);
  const wider: number = await page.evaluate(overflow);
  const all = [...faults, ...small, ...(wider > 0 ? [`${wider} px wider than the screen`] : [])];
  return all.map((fault) => `${name}: ${fault}`);
}

/** By the browser's measure, less than anybody sees. */
const aPixel = 0.001;

/** What of the page has moved by itself since it was opened, and from where to where. */
export async function shiftsOf(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const seen = new PerformanceObserver(() => {});
    seen.observe({ type: 'layout-shift', buffered: true });
    const at = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    const moved = ({ node, previousRect, currentRect }) =>
      (node?.outerHTML ?? node?.textContent ?? '').slice(0, 60) + ' from ' + at(previousRect) + ' to ' + at(currentRect);
    const shifts = seen.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput);
    const sum = shifts.reduce((all, { value }) => all + value, 0);
    return (sum < ${aPixel} ? [] : shifts).map(({ value, sources }) => value.toFixed(3) + ': ' + sources.map(moved).join('; '));
  })()`);
}
