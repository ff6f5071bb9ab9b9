import { expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';

const [browser, place] = await Promise.all([openBrowser(), openFirstDay()]);

test('a person chooses what they are told, by the keyboard alone if they like, and sends a test', async () => {
  const { app } = place;
  const { page } = await openTab(browser, place, 'read-only');
  page.context().setDefaultTimeout(120_000);
  await load(page, `/app/i/${app.integrationId}/test/settings?tab=notices`);
  await page.getByText('You are told nothing yet.').waitFor();
  const first: string[] = [];
  for (const look of twoLooks)
    first.push(...(await judge(page, look, `dashboard/notices-empty-${look.name}`)));
  expect(first).toEqual([]);

  await page.getByRole('checkbox', { name: 'A payment is paid: Mail at once' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'A summary of each day: Web push' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Notices saved').waitFor();
  await page.getByText('Allow notices on a device below.').waitFor();
  await page.getByRole('button', { name: 'Send a test message: Mail at once' }).click();
  await page.getByText(/^Sent /).waitFor();
  const found: string[] = [];
  for (const look of twoLooks) found.push(...(await judge(page, look, `dashboard/notices-${look.name}`)));
  expect(found).toEqual([]);

  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByRole('button', { name: 'Save the hour' }).click();
  await page.getByText('Hour saved').waitFor();
});

test('the worker that shows notices is of the dashboard alone, and the page allows it under its policy', async () => {
  const { app } = place;
  const { page } = await openTab(browser, place, 'owner');
  await load(page, `/app/i/${app.integrationId}/test/settings?tab=notices`);
  const scope = await page.evaluate<string>(`navigator.serviceWorker
    .register('/app/worker.js', { scope: '/app/' })
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.scope)`);
  expect(new URL(scope).pathname).toBe('/app/');
  const manifest = await page.evaluate(async () => (await fetch('/app/manifest.webmanifest')).json());
  expect(manifest).toMatchObject({ scope: '/app/', display: 'standalone' });
});
