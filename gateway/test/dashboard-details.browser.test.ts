// Small things that people stumble over in the dashboard.
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { pressEscape } from './browser/acts.ts';
import { openBrowser } from './browser/browser.ts';
import { openBusyPlace, type Place } from './browser/dashboard-fixture.ts';
import { follow, load, openTab, settle } from './browser/dashboard-look.ts';
import type { Visitor } from './browser/dashboard-pages.ts';
import { password } from './support/console.ts';

let browser: Browser;
let place: Place;

beforeAll(async () => {
  [browser, place] = await Promise.all([openBrowser(), openBusyPlace()]);
});

/** A tab of a visitor at the width of a small laptop, with a page of the dashboard open. */
async function open(visitor: Visitor, path: string): Promise<Page> {
  const { page } = await openTab(browser, place, visitor);
  await page.setViewportSize({ width: 1280, height: 800 });
  await load(page, `/app${path.replace('$integration', place.params.integration ?? '')}`);
  return page;
}

test('the payment page cuts no table off at 1280 px', async () => {
  const page = await open('owner', '/i/$integration/test/payments/order-dispute');
  for (const reference of ['order-dispute', 'order-overpaid', 'order-underpaid']) {
    await load(page, `/app/i/${place.params.integration}/test/payments/${reference}`);
    // As text, because the tests' types know no document.
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('main table')]
      .filter(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth > clientWidth + 1)
      .map(({ caption, parentElement: { scrollWidth, clientWidth } }) => caption.textContent + ': ' + scrollWidth + ' px in ' + clientWidth)`);
    expect({ reference, cut }).toEqual({ reference, cut: [] });
  }
  await page.context().close();
});

test('no button of an appeal is the harsh one', async () => {
  const operator = await open('operator', `/operator/appeals?open=${place.params.openAppeal}`);
  const owner = await open('owner', `/i/$integration/test/appeals?open=${place.params.openAppeal}`);
  for (const [page, decisions] of [
    [operator, ['Reject the appeal', 'Refund the customer']],
    [owner, ['Refund the customer']],
  ] as const) {
    for (const decision of decisions) {
      await page.getByRole('button', { name: decision, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: `${decision}?` });
      await dialog.getByRole('button', { name: decision, exact: true }).waitFor();
      expect(await page.locator('button.bg-lost').count()).toBe(0);
      await pressEscape(page);
      await dialog.waitFor({ state: 'detached' });
      // Whoever closes a dialog goes on from where they opened it.
      await expect.poll(() => page.locator(':focus').textContent()).toBe(decision);
    }
    await page.context().close();
  }
});

test('the staff log names people, businesses and integrations', async () => {
  const page = await open('operator', '/operator/staff-log');
  const said = await page.locator('main table').textContent();
  expect(said).toContain('operator@example.com');
  const business = page.getByRole('row').filter({ hasText: 'suspended' });
  await business.getByText('Elsewhere').waitFor();
  await place.people.as('read-only');
  const client = await place.people.as('operator');
  const id = place.people.accountId('read-only');
  await client('DELETE', `/console/operator/accounts/${id}/sessions`, { body: {} });
  await page.reload();
  await settle(page);
  const person = page.getByRole('row').filter({ hasText: /ended every session/i });
  await person.getByText('read-only@example.com').waitFor();
  await page.context().close();
});

test('bars of 90 days have sharp edges, one width and no pattern, and today is marked as not over', async () => {
  const page = await open('owner', '/i/$integration/test/overview?days=90');
  const chart = page.getByRole('img', { name: /came in on \d+ of \d+ days, most of it on/ });
  const bars = await chart.evaluate(
    (svg: { querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }> }) =>
      [...svg.querySelectorAll('g[fill] > rect, g:not([fill]) > rect')].map((bar) => ({
        x: Number(bar.getAttribute('x')),
        width: bar.getAttribute('width'),
        opacity: bar.getAttribute('opacity'),
      })),
  );
  // It begins with the first payment, which was made 60 days ago.
  expect(bars.length).toBeGreaterThan(50);
  expect(bars.length).toBeLessThan(63);
  expect(new Set(bars.map(({ x }) => x % 1))).toEqual(new Set([0.5]));
  expect(new Set(bars.map(({ width }) => width)).size).toBe(1);
  const last = Math.max(...bars.map(({ x }) => x));
  const light = bars.filter(({ opacity }) => opacity !== null);
  expect(light.length).toBeGreaterThan(0);
  expect(new Set(light.map(({ x }) => x))).toEqual(new Set([last]));
  await page
    .getByText(/, so far$/)
    .first()
    .waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => chart.locator('g[fill^="url"]').count()).toBe(0);
  await page.context().close();
});

test('the chart of the overview is a sentence and a table too, and what came in has its value and its coins', async () => {
  const page = await open('owner', '/i/$integration/test/overview?days=90');
  const card = page.getByRole('region', { name: 'Came in by day' });
  await card
    .getByText(/^[\d,]+\.\d\d USD came in on \d+ of \d+ days, most of it on .+: [\d,]+\.\d\d USD\.$/)
    .waitFor();
  await card.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('table', { name: 'Came in by day as a table' });
  const heads = await table.getByRole('columnheader').allTextContents();
  expect(heads.slice(0, 2)).toEqual(['Day', 'Value in USD']);
  // The coin that most came in is the first.
  expect(heads.slice(2, -2)).toEqual(expect.arrayContaining(['USDC', 'USDT', 'PI']));
  expect(heads.slice(-2)).toEqual(['Completed', 'Created']);
  await card.getByRole('button', { name: 'Show as chart' }).click();
  await card
    .getByRole('navigation', { name: 'Currency' })
    .getByRole('link', { name: / USDC$/ })
    .click();
  await card.getByText(/ USDC came in on \d+ of \d+ days/).waitFor();
  const balances = page.getByRole('region', { name: 'Balances' });
  await balances.getByText(/^Worth [\d,]+\.\d\d USD at the rates of now\.$/).waitFor();
  await balances.getByText('USDC', { exact: true }).first().click();
  await balances.locator('details[open]').getByText('Ethereum').waitFor();
  await page.context().close();
});

test('times are right from the first render, whatever the clock of the device says', async () => {
  const { page } = await openTab(browser, place, 'owner');
  await page.clock.install({ time: new Date(Date.now() - 3 * 60_000) });
  await load(page, `/app/i/${place.params.integration}/test/overview`);
  const body = { amount: 5, currency: 'USDC', payment_type: 'deposit', payment_reference: 'just-made' };
  await place.app.api('PUT', '/payment/create', { body });
  await follow(page, `/app/i/${place.params.integration}/test/payments`);
  const row = page.getByRole('row').filter({ hasText: 'just-made' });
  expect(await row.textContent()).toMatch(/just now|\d+ sec\. ago/);
  await page.context().close();
});

test('a mail is said to be sent only where there is a mail server', async () => {
  const page = await open('developer', '/account');
  await place.app.db.query(
    "UPDATE accounts SET email_verified = false WHERE email = 'developer@example.com'",
  );
  await page.reload();
  const reminder = page.getByRole('region', { name: 'Your e-mail address' });
  await reminder.getByText(/^The link that confirms developer@example\.com waits/).waitFor();
  expect(await page.getByText('We sent a link').count()).toBe(0);
  const session = await page.request.get('/console/account');
  const answer = (await session.json()) as { data: { sends_mail: boolean } };
  expect(answer.data.sends_mail).toBe(false);
  // As it is where there is one, which a first sign-up shows: see dashboard-first-minutes.
  await page.route('**/console/account', (route) =>
    route.fulfill({ json: { ...answer, data: { ...answer.data, sends_mail: true } } }),
  );
  await page.reload();
  await reminder.getByText(/^We sent a link to developer@example\.com/).waitFor();
  await page.context().close();
});

test('turning two-factor sign-in on asks for the password once, however long ago the sign-in was', async () => {
  const page = await open('support', '/account?tab=security');
  await place.app.db.query(
    "UPDATE sessions SET created_at = created_at - interval '11 minutes', confirmed_at = NULL",
  );
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn two-factor sign-in on' });
  await dialog.getByLabel('Password', { exact: true }).fill('not it');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog
    .getByText(/password/i)
    .filter({ hasText: /wrong|not right|incorrect/i })
    .first()
    .waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Scan this with your app' }).waitFor();
  expect(await page.getByRole('dialog', { name: 'Confirm that it is you' }).count()).toBe(0);
  await page.context().close();
});

test('operators see what waits in test mode apart, and tabs that hold work have its number', async () => {
  const page = await open('operator', '/operator/overview');
  const waits = page.getByRole('region', { name: 'Waits for you' });
  const row = (words: RegExp, isTest: boolean) =>
    waits.getByRole('link').filter({
      hasText: words,
      ...(isTest
        ? { has: page.getByText('Test', { exact: true }) }
        : { hasNot: page.getByText('Test', { exact: true }) }),
    });
  await row(/appeals? (is|are) open/, true).waitFor();
  expect(await row(/appeals? (is|are) open/, false).count()).toBe(0);
  await row(/deposits? names? no payment/, false).waitFor();
  await load(page, '/app/operator/money');
  await page.getByRole('tab', { name: /^Unmatched deposits \d+ waiting$/ }).click();
  await page.getByRole('tab', { name: /^Without an order \d+ waiting$/ }).waitFor();
  await page.getByRole('tab', { name: 'Sweeps' }).click();
  await page.getByText('Nothing was swept yet').waitFor();
  // Where mails of earlier versions lead.
  await load(page, '/app/operator/disputes');
  await page.getByRole('heading', { name: 'Appeals', level: 1 }).waitFor();
  await page.context().close();
});

test('the fault of a background loop is shown with its time', async () => {
  const at = new Date(Date.now() - 3 * 60_000).toISOString();
  const loops = [
    {
      name: 'rates',
      every_seconds: 20,
      last_done_at: null,
      last_fault: { at, message: 'no source answers' },
    },
    { name: 'mails', every_seconds: 5, last_done_at: at, last_fault: null },
  ];
  await place.app.db.query(
    `INSERT INTO gateway_processes (id, host, pid, version, started_at, seen_at, loops)
     VALUES (gen_random_uuid(), 'elsewhere', 7, '0.1.0', now(), now() + interval '1 hour', $1)`,
    [JSON.stringify(loops)],
  );
  const page = await open('operator', '/operator/health');
  const table = page.getByRole('table', { name: 'Loops of process 7' });
  const cells = table.getByRole('row').filter({ hasText: 'Rates' }).getByRole('cell').last();
  expect(await cells.textContent()).toMatch(/^no source answers3 min\. ago$/);
  expect(await table.getByRole('row').filter({ hasText: 'Mails' }).last().textContent()).toContain('None');
  await page.context().close();
});

test('an endpoint on a machine out of reach is refused at its field, with the command that forwards to it', async () => {
  const page = await open('developer', '/i/$integration/test/webhooks?edit=new');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.7:3000/hook');
  await page.getByRole('button', { name: 'Create the endpoint' }).click();
  await page.getByText('For a server on this computer run').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('url');
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'npx florin listen --forward-to 10.0.0.7:3000/hook',
  );
  await page.context().close();
});

test('a command is not broken by the page: its long lines scroll, and the arrow keys reach their ends', async () => {
  const page = await open('developer', '/i/$integration/test/developers?tab=snippets');
  await page.setViewportSize({ width: 390, height: 844 });
  const code = page.getByRole('group', { name: 'Create a payment, curl' });
  await code.waitFor();
  const box = `document.querySelector('fieldset[aria-label="Create a payment, curl"]')`;
  const tall = await page.evaluate<number>(`${box}.firstChild.clientHeight`);
  const lines = ((await code.textContent()) ?? '').split('\n').length;
  // No line takes two rows.
  expect(Math.round((tall - 20) / 20)).toBe(lines);
  await code.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.evaluate<number>(`${box}.scrollLeft`)).toBeGreaterThan(0);
  await page.context().close();
});

test('a button that works says so, and is not pressed twice', async () => {
  const page = await open('owner', '/i/$integration/test/payments?make=payment');
  await page.getByLabel('For what').fill('Slow');
  await page.getByLabel('Amount').fill('3');
  let calls = 0;
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/test/payments', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue();
    calls += 1;
    await answered;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create the payment' }).click();
  const busy = page.getByRole('button', { name: 'Working…' });
  expect(await busy.getAttribute('aria-busy')).toBe('true');
  await busy.click({ force: true });
  answer();
  await page.getByText('3.00 USDC for Slow').waitFor();
  expect(calls).toBe(1);
  await page.context().close();
});
