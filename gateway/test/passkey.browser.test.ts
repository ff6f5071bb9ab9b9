import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pressEscape } from './browser/acts.ts';
import { addAuthenticator } from './browser/authenticator.ts';
import { openBrowser } from './browser/browser.ts';
import { ageSessions, goodPassword, seedAccount } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// Passkeys as a person meets them: by the dashboard's own pages, with an authenticator that Chromium plays.
// They are built before the tests run.

let app: RunningApp;
let browser: Browser;
let page: Page;
let device: CDPSession;
let authenticatorId: string;
let account: { id: string; email: string };

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});
beforeEach(async () => {
  account = await seedAccount(app.db);
  const context = await browser.newContext();
  // Sooner than the test ends, so that a failure names what did not appear.
  page = await context.newPage();
  ({ device, authenticatorId } = await addAuthenticator(page));
});
afterEach(() => page.context().close());

// By name: browsers make no passkeys for an IP address.
const open = (path: string) => page.goto(`${app.baseUrl.replace('127.0.0.1', 'localhost')}/app${path}`);
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function signInByPassword(): Promise<void> {
  await open('/sign-in');
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await button('Sign in').click();
  await heading('Name your business').waitFor();
}

async function addPasskey(name: string): Promise<void> {
  await open('/account?tab=security');
  await button('Create a passkey').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button('Create the passkey').click();
  await button(`Remove ${name}`).waitFor();
}

/** Whether somebody touches the authenticator as soon as it asks. */
const touch = (enabled: boolean) =>
  device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });

test('a passkey that was added on the account page signs in by one press', async () => {
  await signInByPassword();
  await addPasskey('Blue laptop');
  await page.context().clearCookies();
  await touch(false);
  const options = '**/console/auth/sign-in/passkey/options';
  const suggested = page.waitForResponse(options);
  await open('/sign-in?next=/account%3Ftab%3Dsecurity');
  await suggested;
  // After the suggestions have ended and before the authenticator is asked: it looks for a touch only once.
  await page.route(options, async (route) => {
    await touch(true);
    await route.continue();
  });
  await button('Sign in with a passkey').click();
  await button('Remove Blue laptop').waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/account');
});

/** Suggestions begin only when the page calls `beginSuggestions`: browsers are asked twice whether they have any. */
const lateSuggestions = `
  let asked = 0;
  const { promise: begun, resolve } = Promise.withResolvers();
  globalThis.beginSuggestions = resolve;
  PublicKeyCredential.isConditionalMediationAvailable = async () => {
    asked += 1;
    if (asked === 2) await begun;
    return true;
  };
  const { credentials } = navigator;
  const get = credentials.get.bind(credentials);
  globalThis.ceremonies = [];
  credentials.get = (options) => {
    globalThis.ceremonies.push(options.mediation ?? 'press');
    return get(options);
  };
`;
const ceremonies = () => page.evaluate<string[]>('globalThis.ceremonies');

test('suggestions that begin after the press do not end it, and its button is busy meanwhile', async () => {
  await signInByPassword();
  await addPasskey('Blue laptop');
  await page.context().clearCookies();
  await page.addInitScript(lateSuggestions);
  await touch(false);
  const suggested = page.waitForResponse('**/console/auth/sign-in/passkey/options');
  await open('/sign-in?next=/account%3Ftab%3Dsecurity');
  await suggested;
  await button('Sign in with a passkey').click();
  await expect.poll(ceremonies).toEqual(['press']);
  expect(await button('Working…').getAttribute('aria-busy')).toBe('true');
  await touch(true);
  await page.evaluate('globalThis.beginSuggestions()');
  await button('Remove Blue laptop').waitFor();
});

test('a passkey is offered in the field of the address, without a press', async () => {
  await signInByPassword();
  await addPasskey('Blue laptop');
  await page.context().clearCookies();
  await open('/sign-in');
  await heading('Name your business').waitFor();
});

test('a passkey confirms that it is you, and what waited for it goes on', async () => {
  await signInByPassword();
  await addPasskey('Blue laptop');
  await ageSessions(app.db, account.id, 1500);
  await button('Remove Blue laptop').click();
  await button('Remove the passkey').click();
  await heading('Confirm that it is you').waitFor();
  await button('Use your passkey').click();
  await page.getByText('You have no passkey yet').waitFor();
  const { rows } = await app.db.query('SELECT FROM passkeys WHERE account_id = $1', [account.id]);
  expect(rows).toHaveLength(0);
});

test('a confirmation that was refused changes nothing', async () => {
  await signInByPassword();
  await addPasskey('Blue laptop');
  await ageSessions(app.db, account.id, 1500);
  await button('Remove Blue laptop').click();
  await button('Remove the passkey').click();
  await heading('Confirm that it is you').waitFor();
  await pressEscape(page);
  await page.getByRole('alert').filter({ hasText: 'Confirm that it is you' }).waitFor();
  await pressEscape(page);
  await button('Remove Blue laptop').waitFor();
});

test('an IP address has no passkeys, and says where they are', async () => {
  await page.goto(`${app.baseUrl}/app/sign-in`);
  await button('Sign in').waitFor();
  expect(await button('Sign in with a passkey').count()).toBe(0);
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await button('Sign in').click();
  await heading('Name your business').waitFor();
  await page.goto(`${app.baseUrl}/app/account?tab=security`);
  await page.getByText('Open the dashboard at http://localhost').waitFor();
});
