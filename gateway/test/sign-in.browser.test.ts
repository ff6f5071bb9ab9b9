import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { after } from '../src/kit/clock.ts';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { totpCode } from './browser/totp.ts';
import { goodPassword, seedAccount, signedIn } from './support/identity-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// The sign-in page: a document of its own, without the program of the dashboard.

let app: RunningApp;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser()]);
});
afterEach(() => context.close());

async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ baseURL: app.baseUrl, reducedMotion: 'reduce', ...options });
  return await context.newPage();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const pathOf = (page: Page): string => page.url().slice(app.baseUrl.length);

async function fill(page: Page, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
}

test('a page that needs a session leads to the sign-in page, which leads back to it with its search', async () => {
  const { email } = await seedAccount(app.db);
  const page = await openTab();
  await page.goto('/app/account?tab=sessions#here');
  await page.getByText('Sign in to continue where you were.').waitFor();
  expect(pathOf(page)).toBe('/app/sign-in?next=%2Faccount%3Ftab%3Dsessions%23here');
  await fill(page, email);
  await heading(page, 'Your account');
  expect(pathOf(page)).toBe('/app/account?tab=sessions#here');
});

test('a sign-in never leads to another site', async () => {
  const { email } = await seedAccount(app.db);
  const page = await openTab();
  await page.goto('/app/sign-in?next=//elsewhere.example/');
  await fill(page, email);
  await heading(page, 'Name your business');
  expect(new URL(page.url()).origin).toBe(app.baseUrl);
});

test('a session that ends while the dashboard is open leads to the sign-in page and back', async () => {
  const { id, email } = await seedAccount(app.db);
  const page = await openTab();
  await page.goto('/app/sign-in?next=/account');
  await fill(page, email);
  await heading(page, 'Your account');
  await app.db.query('DELETE FROM sessions WHERE account_id = $1', [id]);
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByText('Sign in to continue where you were.').waitFor();
  await fill(page, email);
  await heading(page, 'Your account');
  expect(pathOf(page)).toBe('/app/account?tab=sessions');
});

test('after signing out the Back button shows nothing of the dashboard', async () => {
  const { email } = await seedAccount(app.db);
  const page = await openTab({ viewport: { width: 1280, height: 900 } });
  await page.goto('/app/sign-in?next=/account');
  await fill(page, email);
  await heading(page, 'Your account');
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'Account', exact: false }).last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
  expect(pathOf(page)).toBe('/app/sign-in');
  await page.goBack();
  await heading(page, 'Sign in');
  expect(await page.getByText(email).count()).toBe(0);
});

test('a wrong password is said above the form, which keeps what was typed, and is not busy any more', async () => {
  const { email } = await seedAccount(app.db);
  const page = await openTab();
  await page.goto('/app/sign-in');
  await fill(page, email, 'not the password');
  await page.getByRole('alert').waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
  await press(page, 'Show the password');
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await fill(page, email);
  await heading(page, 'Name your business');
});

test('the page has the theme that was chosen in the dashboard', async () => {
  const page = await openTab({ colorScheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.goto('/app/sign-in');
  await heading(page, 'Sign in');
  const light = await ground();
  await page.evaluate("localStorage.setItem('florin.theme', 'dark')");
  await page.reload();
  await heading(page, 'Sign in');
  expect(await ground()).not.toBe(light);
});

test('the page of a forgotten password and that of a new account know what was typed and where to go on', async () => {
  const page = await openTab();
  await page.goto('/app/sign-in?next=/account');
  await page.getByLabel('E-mail address').fill('ada@lumen.example');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading(page, 'Forgot your password?');
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@lumen.example');
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await heading(page, 'Sign in');
  await page.goto('/app/sign-in?next=/account');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await heading(page, 'Create an account');
  expect(pathOf(page)).toBe('/app/sign-up?next=%2Faccount');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await heading(page, 'Sign in');
  expect(pathOf(page)).toBe('/app/sign-in?next=%2Faccount');
});

test('a password that is easy to guess is replaced before the first sign-in, which the sign-in page confirms', async () => {
  const { email } = await seedAccount(app.db, { password: 'password1234' });
  const page = await openTab();
  await page.goto('/app/sign-in');
  await fill(page, email, 'password1234');
  await page.getByText('Choose a password of your own').waitFor();
  await page.getByRole('textbox', { name: 'New password' }).fill(goodPassword);
  await press(page, 'Change the password');
  await page.getByRole('status').filter({ hasText: 'Your password is changed' }).waitFor();
  await fill(page, email);
  await heading(page, 'Name your business');
});

describe('the second step', () => {
  type Enrolment = { totp_uri: string; recovery_codes: string[] };

  /** Somebody who has an authenticator app. */
  async function seedPerson(): Promise<Enrolment & { email: string }> {
    const { email } = await seedAccount(app.db);
    const who = await signedIn(app.baseUrl, email);
    const { data } = await who.send('POST', '/account/two-factor', { password: goodPassword });
    const enrolment = data as Enrolment;
    const on = await who.send('POST', '/account/two-factor/confirm', { code: totpCode(enrolment.totp_uri) });
    expect(on.status).toBe(200);
    return { ...enrolment, email };
  }

  test('takes a code of the app, says a wrong one, and leads on', async () => {
    const { email, totp_uri } = await seedPerson();
    const page = await openTab();
    await page.goto('/app/sign-in?next=/account');
    await fill(page, email);
    await heading(page, 'Enter your code');
    const code = page.getByLabel('Six-digit code');
    expect(await page.evaluate('document.activeElement.name')).toBe('code');
    await code.fill('000000');
    await press(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    expect(await findViolations(page)).toEqual([]);
    // The one that turned it on counts no more.
    await code.fill(totpCode(totp_uri, after(new Date(), 30)));
    await press(page, 'Sign in');
    await heading(page, 'Your account');
  });

  test('takes a recovery code in its place', async () => {
    const { email, recovery_codes } = await seedPerson();
    const page = await openTab();
    await page.goto('/app/sign-in');
    await fill(page, email);
    await press(page, 'Use a recovery code');
    await heading(page, 'Enter a recovery code');
    await page.getByLabel('Recovery code').fill(recovery_codes[0] ?? '');
    await press(page, 'Sign in');
    await heading(page, 'Name your business');
  });

  test('leads back to the first, when the person asks or when it took too long', async () => {
    const { email } = await seedPerson();
    const page = await openTab();
    await page.goto('/app/sign-in');
    await fill(page, email);
    await press(page, 'Start again');
    await heading(page, 'Sign in');
    await fill(page, email);
    await heading(page, 'Enter your code');
    await context.clearCookies();
    await page.getByLabel('Six-digit code').fill('123456');
    await press(page, 'Sign in');
    await page.getByRole('alert').filter({ hasText: 'start again' }).waitFor();
    await heading(page, 'Sign in');
  });

  test('and the first are accessible and fit a small phone, in light and dark', async () => {
    const { email } = await seedPerson();
    const page = await openTab({ viewport: { width: 320, height: 640 } });
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await takePicture(page, `sign-in/${name}-${colorScheme}`);
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
    };
    await page.goto('/app/sign-in?next=/account&done=password');
    await heading(page, 'Sign in');
    await look('password');
    await fill(page, email);
    await heading(page, 'Enter your code');
    await look('code');
  });
});

test('an empty sign-in is not sent: each field says what is missing, in the language of the page', async () => {
  const page = await openTab({ locale: 'de' });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/sign-in'))
      calls.push(request.postData() ?? '');
  });
  await page.goto('/app/sign-in');
  await page.getByLabel('E-Mail-Adresse').fill('ada');
  await page.locator('form button[type=submit]').click();
  await page.getByText('Schreiben Sie eine E-Mail-Adresse, etwa ada@example.com.').waitFor();
  await page.getByText('Füllen Sie das aus.').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('email');
  expect(calls.filter((body) => body.includes('password'))).toEqual([]);
});
