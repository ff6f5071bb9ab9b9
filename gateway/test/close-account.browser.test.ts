import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { goodPassword, seedAccount } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});

test('a person closes their account on its page, after typing its address, and is signed out', async () => {
  const { id, email } = await seedAccount(app.db);
  const page = await (await browser.newContext()).newPage();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`${app.baseUrl}/app/sign-in?next=/account`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await button('Sign in').click();
  await button('Close the account').click();
  expect(await button('Close it for ever').isDisabled()).toBe(true);
  await page.getByLabel(`Type ${email} to confirm`).fill(email);
  await button('Close it for ever').click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  const { rows } = await app.db.query(
    'SELECT name, closed_at IS NOT NULL AS closed FROM accounts WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ name: 'Closed account', closed: true }]);
});
