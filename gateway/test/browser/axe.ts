import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Is given to a page when that is judged: not each page is. Without `noHtml` it writes out each element that it looks at. */
const axe = `${source}; axe.configure({ noHtml: true });`;

// Looks that need no second judgement, in any page: see `looksOf`.
const settled = new Set<string>();

// Scripts that run inside the page are text, because the tests' types have no `document`.
const words = `({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ element }) => element.outerHTML.slice(0, 160)).join(' | ')`;
const rules = `axe.run({ resultTypes: ['violations'], selectors: false, elementRef: true, rules: { 'color-contrast': { enabled: false } } })
  .then(({ violations }) => violations.map(${words}))`;

// Elements that show text or take it, with all that their contrast follows from. Left out is what axe does not judge
// either: what is clipped away or disabled, fields without text, and marks of punctuation alone.
const looksOf = `(() => {
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches;
  const grounds = new Map([[null, '']]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, clipPath } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join();
      const outer = clipPath === 'inset(50%)' ? undefined : groundOf(element.parentElement);
      grounds.set(element, outer === undefined ? undefined : (own === 'rgba(0, 0, 0, 0),none,1' ? '' : own + ' on ') + outer);
    }
    return grounds.get(element);
  };
  const unjudged = ':disabled, [aria-disabled=true], [type=checkbox], [type=radio], [type=range], [type=color]';
  const word = /[^\\s!-\\/:-@\\[-\\x60{-~\\u2000-\\u206f]/;
  const hasText = (element) =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && word.test(node.data));
  const candidates = [...document.body.querySelectorAll('*')].filter((each) => hasText(each) && !each.matches(unjudged));
  const shown = candidates.filter((each) => each.checkVisibility());
  return shown.filter((element) => groundOf(element) !== undefined).map((element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const own = [scheme, element.tagName, element.getAttribute('class'), color, fontSize, fontWeight, textShadow];
    return [element, [...own, groundOf(element)].join()];
  });
})()`;
const looks = `[...new Set(${looksOf}.map(([, look]) => look))]`;
// Settled is a look whose contrast was measured and is enough, or that has a gradient, about which axe says nothing.
const contrast = (wanted: readonly string[]): string => `(async () => {
  const wanted = new Set(${JSON.stringify(wanted)});
  const looks = new Map(${looksOf}.filter(([, look]) => wanted.has(look)));
  if (looks.size === 0) return { faults: [], settled: [] };
  const options = { resultTypes: ['violations', 'passes', 'incomplete'], selectors: false, elementRef: true, runOnly: ['color-contrast'] };
  const { violations, passes, incomplete } = await axe.run({ include: [...looks.keys()] }, options);
  const lookOf = ({ element }) => looks.get(element) ?? '';
  const measured = passes.flatMap(({ nodes }) => nodes).filter(({ any: [check] }) => check?.data?.contrastRatio > 0);
  const undecided = incomplete.flatMap(({ nodes }) => nodes).filter(({ any: [check] }) => check?.data?.messageKey === 'bgGradient');
  const settled = [...measured.map(lookOf), ...undecided.map(lookOf).filter((look) => look.includes('gradient('))];
  return { faults: violations.map(${words}), settled: [...new Set(settled)].filter((look) => look !== '') };
})()`;

async function giveAxe(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
}

/** What is wrong on a page by all rules of axe. */
export async function findViolations(page: Page): Promise<string[]> {
  await giveAxe(page);
  const faults = await page.evaluate<string[]>(rules);
  return [...faults, ...(await findFaintText(page))];
}

/** What has too little contrast. What was settled before in the same colours is not looked at again. */
export async function findFaintText(page: Page): Promise<string[]> {
  const wanted = (await page.evaluate<string[]>(looks)).filter((look) => !settled.has(look));
  if (wanted.length === 0) return [];
  await giveAxe(page);
  const found = await page.evaluate<{ faults: string[]; settled: string[] }>(contrast(wanted));
  for (const look of found.settled) settled.add(look);
  return found.faults;
}
