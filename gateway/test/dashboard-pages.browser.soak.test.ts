import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openBusyPlace, openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import {
  fewLooks,
  findShift,
  follow,
  judge,
  type Look,
  load,
  looksAt,
  openTab,
} from './browser/dashboard-look.ts';
import { leadingOn, ownDocuments, pages, pathsOfRouter, type Visitor } from './browser/dashboard-pages.ts';
import { inEveryLook } from './browser/pictures.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

test('every page of the router is looked at, and every other document', () => {
  expect([...Object.keys(pages), ...leadingOn].sort()).toEqual([...pathsOfRouter(), ...ownDocuments].sort());
});

/** The address with the ids of the fixture filled in; null where the fixture has no such object. */
function fill(address: string, params: Record<string, string>): string | null {
  const names = [...address.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  if (names.some((name) => params[name] === undefined)) return null;
  return address.replace(/\$(\w+)/g, (_, name: string) => params[name] ?? '');
}

/** How each page of a place is opened first, its tabs and drawers being opened by links; and in which looks. */
type Manner = { first: typeof load; wanted(number: number): readonly Look[] };

/** Looks at every page of a place as one of its visitors, and returns what is wrong. */
async function lookAround(
  name: string,
  place: Place,
  visitor: Visitor,
  { first, wanted }: Manner,
): Promise<string[]> {
  const { page, faults } = await openTab(browser, place, visitor);
  const found: string[] = [];
  const own = Object.entries(pages).filter(([, { as }]) => as === visitor);
  const opened = own.flatMap(([path, { searches }]) =>
    searches.map((search, at) => ({ address: path + search, go: at === 0 ? first : follow })),
  );
  for (const [number, { address, go }] of opened.entries()) {
    const filled = fill(address, place.params);
    if (filled === null) continue;
    await go(page, `/app${filled}`);
    if (go === load) found.push(...(await findShift(page)).map((fault) => `${address}: ${fault}`));
    const file = [name, ...(address.match(/\w+/g) ?? [])].join('-');
    for (const look of wanted(number)) {
      const wrong = await judge(page, look, `dashboard/${file}-${look.name}`);
      found.push(...[...wrong, ...faults.splice(0)].map((fault) => `${address}, ${look.name}: ${fault}`));
    }
  }
  await page.context().close();
  return found;
}

const places = [
  ['after some weeks', 'busy', openBusyPlace, { first: load, wanted: looksAt }],
  ['on the first day', 'new', openFirstDay, { first: follow, wanted: () => fewLooks }],
] as const;

// Of the first day `npm test` sees what its own story opens: `dashboard-first-minutes.browser.test.ts`.
describe.each(inEveryLook ? places : places.slice(0, 1))('the dashboard %s', (_, name, open, manner) => {
  test('is accessible, fits the screen, stays in its place, and reports no fault on any page, in light and dark, wide and narrow', async () => {
    const place = await open();
    const visitors: Visitor[] = ['nobody', 'owner', 'operator'];
    const found = await Promise.all(visitors.map((visitor) => lookAround(name, place, visitor, manner)));
    expect(found.flat()).toEqual([]);
    expect(place.app.log()).toBe('');
  }, 600_000);
});
