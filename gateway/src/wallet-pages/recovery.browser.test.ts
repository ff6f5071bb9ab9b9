import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { judge, openLook } from '../../test/browser/checkout-look.ts';
import { totpCode } from '../../test/browser/totp.ts';
import { testClock } from '../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { transaction } from '../kit/db/db.ts';
import { givePassword } from '../wallets/accounts/changes.ts';
import { findUserIds } from '../wallets/users.ts';

const [first, second, third] = ['the very first secret', 'a second long secret', 'the third of my secrets'];
const clock = testClock(new Date());
let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({ now: clock.now });
  browser = await openBrowser();
});

async function signIn(page: Page, password: string, next: RegExp): Promise<void> {
  await page.fill('[name=password]', password);
  await Promise.all([
    page.waitForURL(next),
    page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  ]);
}

test('a person loses the password, then the app, then everything, and is let in again each time', async () => {
  const { page, faults } = await openLook(browser, { viewport: { width: 390, height: 844 }, locale: 'en' });
  const look = async (name: string) => faults.push(...(await judge(page, `wallet-recovery-${name}`)));
  await page.goto(`${app.baseUrl}/wallet/sign-up`);
  await page.fill('[name=username]', 'forgetful_ada');
  await page.fill('[name=password]', first);
  await page.getByRole('button', { name: 'Make my wallet' }).click();
  await page.getByRole('link', { name: 'Set up now' }).click();
  await page.waitForSelector('#make-codes[open]');
  await page.fill('#make-codes [name=current]', first);
  await page.click('#make-codes button.button');
  await page.waitForSelector('.codes-list');
  const codes = await page.locator('.codes-list .code').allTextContents();
  await look('codes');
  await page.getByRole('button', { name: 'Sign out' }).click();

  // The password is lost.
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.click('#by-code-summary');
  await page.fill('#recover-username', 'Forgetful_Ada');
  await page.fill('#recover-code', codes[0]?.toLowerCase() ?? '');
  await page.fill('#by-code [name=password]', second);
  await look('by-code');
  await page.click('#by-code .button');
  await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
  await look('changed');
  // The username is there already.
  await signIn(page, second, /\/wallet\/$/);

  // An app is set up, and lost.
  await page.getByRole('link', { name: 'Account' }).click();
  await page.click('#start-factor-summary');
  await page.fill('#start-factor [name=current]', second);
  await page.click('#start-factor .button');
  await page.waitForSelector('.qr');
  const secret = (await page.locator('.rows .code').textContent()) ?? '';
  await page.fill('#code', totpCode(`otpauth://totp/x?secret=${secret}`, clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('The second factor is on.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.fill('[name=username]', 'forgetful_ada');
  await signIn(page, second, /\/wallet\/code$/);
  await look('code');
  await page.fill('#code', codes[1] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/wallet\/$/);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('You have 8 left.').waitFor();
  await page.click('#end-factor-summary');
  await page.fill('#factor-code', codes[2] ?? '');
  await page.click('#end-factor .button');
  await page.getByText('The second factor is off.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();

  // Everything is lost: whoever runs the wallet gives a password, which is replaced at the sign-in.
  const id = (await findUserIds(app.db, ['forgetful_ada'])).get('forgetful_ada');
  if (!id) throw new Error('There is no forgetful_ada');
  await transaction(app.db, (tx) => givePassword(tx, id, 'given by the operator'));
  await page.fill('[name=username]', 'forgetful_ada');
  await signIn(page, 'given by the operator', /\/wallet\/reset/);
  await look('given');
  await page.fill('[name=password]', third);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
  await signIn(page, third, /\/wallet\/$/);
  await page.getByText('There is nothing here yet.').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});
