import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { memberRoles, permissionsOf, viewOf } from '../src/identity/roles.ts';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import { load, openTab } from './browser/dashboard-look.ts';
import { takePicture } from './browser/pictures.ts';
import { createApi } from './support/api.ts';
import { waitingMails } from './support/identity-fixtures.ts';

// Who may do what, as the pages of a team say it, and the keys of somebody who goes.

let browser: Browser;
let place: Place;

beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), openFirstDay()]);
  for (const person of ['owner', 'finance', 'developer'] as const) await place.people.as(person);
});

async function openTeam(): Promise<Page> {
  const { page } = await openTab(browser, place, 'owner');
  await load(page, `/app/m/${place.people.merchantId}/team`);
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens what can be done with a member of the team. */
async function choose(page: Page, person: string, act: string): Promise<void> {
  await press(page, `What to do with The ${person}`);
  await page.getByRole('menuitem', { name: act, exact: true }).click();
}

/** The words that a role is described by, as `RoleWords` joins them. */
function wordsOf(role: (typeof memberRoles)[number]): string[] {
  const views = viewOf(permissionsOf(role));
  const joined = (moves: boolean) =>
    views.flatMap(({ moves_money, words }) => (moves_money === moves ? [words] : [])).join(' · ');
  return [joined(true) === '' ? 'Moves no money.' : `Moves money: ${joined(true)}`, `May: ${joined(false)}`];
}

test('an invitation says of each role all that it may do, and nothing else', async () => {
  const page = await openTeam();
  await press(page, 'Invite somebody');
  for (const role of memberRoles) {
    const choice = page.locator('label').filter({ has: page.locator(`input[value="${role}"]`) });
    const [money, rest] = wordsOf(role);
    expect(await choice.textContent()).toBe(`${role}${money}${rest}`);
  }
  expect(wordsOf('finance')[0]).toContain('send money away');
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, 'team-invite');
  await page.getByLabel('E-mail address').fill('ada@lumen.example');
  await page.locator('input[value="finance"]').check();
  await press(page, 'Send the invitation');
  await page.getByText('ada@lumen.example', { exact: true }).waitFor();
  await page.context().close();

  // Who is invited reads the same.
  const [mail] = await waitingMails(place.app.db, 'ada@lumen.example');
  const { page: invited } = await openTab(browser, place, 'nobody');
  await load(invited, `/app/invitation/${/invitation\/(\S+)/.exec(mail!.source)![1]}`);
  for (const words of wordsOf('finance')) await invited.getByText(words, { exact: true }).waitFor();
  expect(await findViolations(invited)).toEqual([]);
  await takePicture(invited, 'team-invitation');
  await invited.context().close();
});

test('the team’s page has each permission with its words', async () => {
  const page = await openTeam();
  const table = page.getByRole('table', { name: 'Permissions of each role' });
  for (const { name, words } of viewOf(permissionsOf('owner'))) {
    const row = table.getByRole('row').filter({ hasText: words });
    expect(await row.getByRole('img', { name: 'yes' }).count()).toBe(
      memberRoles.filter((role) => permissionsOf(role).includes(name)).length,
    );
  }
  await page.context().close();
});

test('who is removed is shown with the keys that they made, and the chosen one ends with it', async () => {
  const { app, people } = place;
  const finance = await people.as('finance');
  const keys = await Promise.all(
    ['till', 'books'].map(async (name) => {
      const body = { name, actions: ['read balances', 'make payouts'] };
      const made = await finance<{ secret_key: string }>('POST', `${people.test}/keys`, { body });
      return made.body.data.secret_key;
    }),
  );
  const statuses = () =>
    Promise.all(keys.map(async (key) => (await createApi(app.baseUrl, key)('GET', '/balances')).status));
  expect(await statuses()).toEqual([200, 200]);

  const page = await openTeam();
  await choose(page, 'finance', 'Change the role');
  await page.locator('input[value="support"]').check();
  await page.getByRole('checkbox', { name: /^Revoke till / }).waitFor();
  await page.getByText('It may no longer: make payouts. Roll it to go on.').first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, 'team-role');
  await page.locator('input[value="owner"]').check();
  await page.getByText('Keys that they made').waitFor({ state: 'detached' });
  await press(page, 'Back');

  await choose(page, 'finance', 'Remove from the team');
  await page.getByRole('checkbox', { name: /^Revoke till / }).check();
  expect(await findViolations(page)).toEqual([]);
  await takePicture(page, 'team-remove');
  await press(page, 'Remove from the team');
  await page.getByText('The finance is no longer in the team').waitFor();
  expect(await statuses()).toEqual([401, 200]);
  await page.context().close();
});
