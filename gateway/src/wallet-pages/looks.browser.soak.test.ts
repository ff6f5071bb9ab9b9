import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addAuthenticator } from '../../test/browser/authenticator.ts';
import { openBrowser } from '../../test/browser/browser.ts';
import { isSeenIn, judge, looks, openLook, shiftsOf } from '../../test/browser/checkout-look.ts';
import { layWire } from '../../test/browser/wire.ts';
import { atFileEnd } from '../../test/suite/endings.ts';
import { seedBalance, seedUser } from '../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { makeToken } from '../wallets/accounts/tokens.ts';

const password = 'correct horse battery staple';
let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({ env: { WALLETS: 'invitation', WITHDRAWAL_CHECKS: '0' } });
  browser = await openBrowser();
});

async function rich(username: string): Promise<void> {
  const owner = await seedUser(app.db, username, password);
  const live = { owner, kind: 'user', mode: 'live' } as const;
  await seedBalance(app.db, { ...live, asset: 'usdc-base', units: 1_234_500_000n });
  await seedBalance(app.db, { ...live, asset: 'pi', units: 1n });
  await seedBalance(app.db, { ...live, asset: 'usdt-bep20', units: 10n ** 18n });
  const business = { owner: app.integrationId, kind: 'business', asset: 'usdc-base', mode: 'test' } as const;
  await seedBalance(app.db, { ...business, units: 10n ** 9n });
  const body = { username, amount: 20.5, currency: 'usdc-base' };
  expect((await app.api('POST', '/payment/fund-user', { body })).status).toBe(200);
}

async function enter(page: Page, username: string): Promise<void> {
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForURL(/\/wallet\/(?:\?|$)/), page.click('main form .button')]);
}

describe.each(Object.entries(looks))('in the %s look', (look, { locale, options }) => {
  test('every page is accessible, fits the screen and obeys the content security policy', async () => {
    const { page, faults } = await openLook(browser, options);
    let pages = 0;
    const see = async (name: string): Promise<void> => {
      if (isSeenIn(look, pages++)) faults.push(...(await judge(page, `wallet-${name}-${look}`)));
    };
    const at = async (path: string, name = path.replace(/\W+/g, '-') || 'home'): Promise<void> => {
      const lang = `${path.includes('?') ? '&' : '?'}lang=${locale}`;
      await page.goto(`${app.baseUrl}/wallet/${path}${lang}`);
      expect(await shiftsOf(page), path).toEqual([]);
      await see(name);
    };
    const mailed = { userId: await seedUser(app.db, `forgetful_${look}`, password), value: 'a@example.com' };
    const link = async (page: 'reset' | 'confirm', purpose: 'reset_password' | 'confirm_email') =>
      await at(`${page}?token=${await makeToken(app.db, purpose, mailed, new Date())}`, page);
    await link('reset', 'reset_password');
    await link('confirm', 'confirm_email');
    for (const path of ['sign-up', 'forgotten', 'reset?token=x', 'offline', 'sign-in']) await at(path);
    await page.fill('[name=username]', 'nobody');
    await page.fill('[name=password]', 'wrong');
    await Promise.all([page.waitForSelector('.notice.bad'), page.click('main form .button')]);
    await see('wrong');
    const username = `rich_${look}`;
    await rich(username);
    await at('sign-in');
    await enter(page, username);
    const own = ['', '?mode=test', 'history', 'account?notice=emailSaved', 'send', 'withdraw'];
    for (const path of [...own, 'receive', 'receive?mode=test&asset=usdc-base']) await at(path);
    await page.goto(`${app.baseUrl}/wallet/withdraw?mode=test&lang=${locale}`);
    await page.fill('[name=amount]', '2.25');
    await page.fill('#to', `0x${'a'.repeat(40)}`);
    await Promise.all([page.waitForSelector('#check'), page.click('main > form .button')]);
    await see('check');

    const press = async (form: string, button: string, shown: string): Promise<void> => {
      await page.goto(`${app.baseUrl}/wallet/account?lang=${locale}`);
      await page.click(`#${form}-summary`);
      await page.fill(`#${form} [name=current]`, password);
      await Promise.all([page.waitForSelector(shown), page.click(`#${form} ${button}`)]);
      await see(form);
    };
    await press('start-factor', 'button.button', '.qr');
    await press('make-codes', 'button.button', '.codes-list');
    await page.close();
    expect(faults).toEqual([]);
  });
});

test('an empty wallet says what comes into it, on a phone without JavaScript', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    locale: 'en',
  });
  const page = await context.newPage();
  await seedUser(app.db, 'plain_person', password);
  await page.goto(`${app.baseUrl}/wallet/`);
  await enter(page, 'plain_person');
  expect(await page.textContent('main')).toContain('There is nothing here yet.');
  await page.click('text=Account');
  await page.waitForSelector('text=Passkeys need JavaScript');
  expect(await page.isVisible('text=Add a passkey')).toBe(false);
  await page.click('text=Sign out');
  await page.waitForSelector('text=Sign in to your wallet');
  await context.close();
});

test('a passkey makes a wallet, and signs in again, without any password', async () => {
  const open = await startApp();
  const url = `${open.baseUrl.replace('127.0.0.1', 'localhost')}/wallet/`;
  const { page, faults } = await openLook(browser, { viewport: { width: 390, height: 844 } });
  await addAuthenticator(page);
  await page.goto(`${url}sign-up`);
  await page.fill('[name=password]', 'abcdefghijkl');
  expect(await page.textContent('.strength')).toBe('Easy to guess');
  await page.fill('[name=password]', password);
  expect(await page.textContent('.strength')).toBe('Strong');
  await page.click('text=Show the password');
  expect(await page.getAttribute('[name=password]', 'type')).toBe('text');
  faults.push(...(await judge(page, 'wallet-password-shown')));
  await page.fill('[name=username]', 'key_person');
  await page.click('[data-passkey=sign-up] button');
  await page.waitForSelector('text=There is nothing here yet.');
  faults.push(...(await judge(page, 'wallet-passkey-home')));
  await page.click('text=Sign out');
  await page.click('[data-passkey=sign-in] button');
  await page.waitForSelector('text=There is nothing here yet.');
  await page.goto(`${url}account`);
  await page.waitForSelector('text=Passkey of');
  faults.push(...(await judge(page, 'wallet-passkey-account')));
  // It is the only way in, so it stays.
  await page.click('text=Remove');
  await page.waitForSelector('text=It is the only way in that you have');
  expect(faults).toEqual([]);
  const { rows } = await open.db.query<{ password_hash: string | null; factor: Date | null }>(
    `SELECT u.password_hash, s.factor_at AS factor FROM users u JOIN user_sessions s ON s.user_id = u.id
     WHERE u.username = 'key_person'`,
  );
  expect(rows).toEqual([{ password_hash: null, factor: expect.any(Date) }]);
  await page.context().close();
});

test('a passkey is added to an account with a password, which is asked for first', async () => {
  await seedUser(app.db, 'adder', password);
  const url = `${app.baseUrl.replace('127.0.0.1', 'localhost')}/wallet/`;
  const { page, faults } = await openLook(browser, { viewport: { width: 390, height: 844 } });
  await addAuthenticator(page);
  await page.goto(`${url}sign-in`);
  await enter(page, 'adder');
  await page.goto(`${url}account`);
  await page.click('#add-passkey-summary');
  faults.push(...(await judge(page, 'wallet-passkey-add')));
  await page.click('#add-passkey button[data-failed]');
  expect(await page.locator('#add-passkey [name=current]:invalid').count()).toBe(1);
  await page.fill('#add-passkey [name=current]', password);
  await page.click('#add-passkey button[data-failed]');
  await page.waitForSelector('text=The passkey was added.');
  expect(faults).toEqual([]);
  await page.context().close();
});

test('whoever has no connection is told so in a page that the phone keeps, and goes on once it is back', async () => {
  const wire = await layWire(+new URL(app.baseUrl).port);
  atFileEnd(() => wire.cut());
  const { page, faults } = await openLook(browser, { viewport: { width: 390, height: 844 } });
  const address = `http://127.0.0.1:${wire.port}/wallet/`;
  await page.goto(`${address}sign-up`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
  await wire.cut();
  await page.goto(address);
  await page.waitForSelector('text=You are offline');
  faults.push(...(await judge(page, 'wallet-without-connection')));
  await wire.mend();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.waitForSelector('text=Sign in to your wallet');
  expect(faults).toEqual([]);
  await page.context().close();
});
