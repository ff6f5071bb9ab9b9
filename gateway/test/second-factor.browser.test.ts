import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addAuthenticator } from './browser/authenticator.ts';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { totpCode } from './browser/totp.ts';
import { goodPassword, seedAccount } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// The first sign-in of somebody whose account needs a second factor, by the dashboard's own pages.

let app: RunningApp;
let browser: Browser;
let page: Page;
let account: { id: string; email: string };

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});
beforeEach(async () => {
  account = await seedAccount(app.db, { isOperator: true });
  const context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => page.context().close());

// By name: browsers make no passkeys for an IP address.
const byName = () => app.baseUrl.replace('127.0.0.1', 'localhost');
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function signIn(root: string, path = '/sign-in'): Promise<void> {
  await page.goto(`${root}/app${path}`);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await button('Sign in').click();
}

test('an operator makes a passkey at the first sign-in, goes on where they came from, and needs it from then on', async () => {
  await addAuthenticator(page);
  await signIn(byName(), '/sign-in?next=/operator/merchants');
  await heading('Set up a second factor').waitFor();
  // No page of the dashboard opens before.
  await page.goto(`${byName()}/app/operator/accounts`);
  await heading('Set up a second factor').waitFor();
  await button('Create a passkey').click();
  await page.getByLabel('Name', { exact: true }).fill('Blue laptop');
  await button('Create the passkey').click();
  await heading('Accounts').waitFor();

  await page.context().clearCookies();
  // The suggestions of the address field would sign in at once.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  await signIn(byName());
  await heading('Confirm with your second factor').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await button('Use your passkey').click();
  await heading('Overview').waitFor();
});

test('where there are no passkeys an authenticator app is set up, and its recovery codes are shown', async () => {
  await signIn(app.baseUrl);
  await heading('Set up a second factor').waitFor();
  expect(await button('Create a passkey').count()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await button('Use an authenticator app').click();
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  const prepared = page.waitForResponse('**/console/account/two-factor');
  await button('Continue').click();
  const { data } = (await (await prepared).json()) as { data: { totp_uri: string } };
  await page.getByLabel('Six-digit code').fill(totpCode(data.totp_uri));
  await button('Turn on').click();
  await heading('Keep your recovery codes').waitFor();
  await page.getByLabel('I have stored them').check();
  await button('Done').click();
  await heading('Overview').waitFor();
});

test('whoever does not want to sets nothing up and signs out', async () => {
  await signIn(app.baseUrl);
  await heading('Set up a second factor').waitFor();
  await button('Sign out').click();
  await heading('Sign in').waitFor();
});
