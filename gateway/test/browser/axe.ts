import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** To be added to a context before its pages are judged. */
export const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

// What passed the check of contrast in a tab: see `looksOf`.
const passedIn = new WeakMap<Page, Set<string>>();

// Scripts that run inside the page are text, because the tests' types have no `document`.
const words = `({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')`;
const rules = `axe.run({ resultTypes: ['violations'], selectors: false, rules: { 'color-contrast': { enabled: false } } })
  .then(({ violations }) => violations.map(${words}))`;

// Elements that show text or take it, with all that their contrast follows from.
const looksOf = `(() => {
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches;
  const grounds = new Map([[null, '']]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join();
      grounds.set(element, (own === 'rgba(0, 0, 0, 0),none,1' ? '' : own + ' on ') + groundOf(element.parentElement));
    }
    return grounds.get(element);
  };
  const hasText = (element) =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  const shown = [...document.body.querySelectorAll('*')].filter((each) => hasText(each) && each.checkVisibility());
  return shown.map((element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const own = [scheme, element.tagName, element.getAttribute('class'), color, fontSize, fontWeight, textShadow];
    return [element, [...own, groundOf(element)].join()];
  });
})()`;
const contrast = (passed: ReadonlySet<string>): string => `(async () => {
  const passed = new Set(${JSON.stringify([...passed])});
  const looks = new Map(${looksOf}.filter(([, look]) => !passed.has(look)));
  if (looks.size === 0) return { faults: [], passes: [] };
  const options = { resultTypes: ['violations', 'passes'], selectors: false, elementRef: true, runOnly: ['color-contrast'] };
  const { violations, passes } = await axe.run({ include: [...looks.keys()] }, options);
  const good = passes.flatMap(({ nodes }) => nodes).map(({ element }) => looks.get(element));
  return { faults: violations.map(${words}), passes: [...new Set(good)].filter((look) => look !== undefined) };
})()`;

/** What is wrong on a page by all rules of axe. */
export async function findViolations(page: Page): Promise<string[]> {
  const faults = await page.evaluate<string[]>(rules);
  return [...faults, ...(await findFaintText(page))];
}

/** What has too little contrast. What passed before in this tab in the same colours is not looked at again. */
export async function findFaintText(page: Page): Promise<string[]> {
  const passed = passedIn.get(page) ?? new Set();
  passedIn.set(page, passed);
  const { faults, passes } = await page.evaluate<{ faults: string[]; passes: string[] }>(contrast(passed));
  for (const look of passes) passed.add(look);
  return faults;
}
