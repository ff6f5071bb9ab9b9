import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { judge, openLook, shiftsOf } from '../../test/browser/checkout-look.ts';
import { inEveryLook } from '../../test/browser/pictures.ts';
import { seedBalance, seedUser } from '../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { bookDeposit } from '../wallets/deposits/deposits.ts';

const password = 'correct horse battery staple';
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};
let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({ env: { WITHDRAWAL_CHECKS: '0' } });
  browser = await openBrowser();
  await app.db.query(
    `INSERT INTO typed_rates (currency, price_currency, rate, typed_at, ends_at)
     SELECT code, 'EUR', rate, now(), now() + interval '1 day'
     FROM (VALUES ('USDC', '0.8634'), ('PI', '0.31')) known(code, rate)`,
  );
});

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3600_000);

/** Somebody with coins on several networks, and a history of some weeks. */
async function rich(username: string): Promise<void> {
  const owner = await seedUser(app.db, username, password);
  await app.db.query(
    `UPDATE users SET value_currency = 'EUR', created_at = now() - interval '70 days' WHERE id = $1`,
    [owner],
  );
  const live = { owner, kind: 'user', mode: 'live' } as const;
  await seedBalance(app.db, { ...live, asset: 'usdc-base', units: 1_200_000_000n }, hoursAgo(900));
  await seedBalance(
    app.db,
    { ...live, asset: 'usdc-bep20', units: 34_500_000_000_000_000_000n },
    hoursAgo(800),
  );
  await seedBalance(app.db, { ...live, asset: 'csk-bep20', units: 5n * 10n ** 18n }, hoursAgo(700));
  for (let hours = 300; hours > 0; hours -= 9)
    await seedBalance(app.db, { ...live, asset: 'pi', units: 1_234_567n }, hoursAgo(hours));
  const user = { kind: 'user', id: owner } as const;
  const arrival = {
    ...{ rail: 'evm:8453', key: `8453:${newId()}:0`, ledgerId: newId(), owner: user },
    ...{ transaction: `0x${'7f'.repeat(32)}`, asset: 'usdc-base', units: 20_000_000n },
    ...{ sender: `0x${'3c'.repeat(20)}`, state: 'final' as const, at: new Date() },
  } as const;
  await transaction(app.db, (tx) => bookDeposit(tx, arrival, { mode: 'live', now: new Date() }));
}

async function enter(page: Page, username: string): Promise<void> {
  await page.goto(`${app.baseUrl}/wallet/sign-in`);
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', password);
  await Promise.all([page.waitForURL(/\/wallet\/(?:\?|$)/), page.click('main form .button')]);
}

const widths = inEveryLook ? [390, 768, 1280, 1920] : [390, 1280];
const sights = widths.flatMap((width) =>
  (inEveryLook ? (['light', 'dark'] as const) : ([width < 768 ? 'light' : 'dark'] as const)).map(
    (colorScheme) => ({ width, colorScheme }),
  ),
);

describe.each(sights)('at $width px, $colorScheme', ({ width, colorScheme }) => {
  test('the pages of money are accessible, fit the screen and keep still', async () => {
    const { page, faults } = await openLook(browser, {
      viewport: { width, height: 844 },
      colorScheme,
      locale: 'en',
    });
    const username = `money_${width}_${colorScheme}`;
    await rich(username);
    await enter(page, username);
    const see = async (path: string, name: string) => {
      await page.goto(`${app.baseUrl}/wallet/${path}`);
      expect(await shiftsOf(page), path).toEqual([]);
      faults.push(...(await judge(page, `wallet-money-${name}-${width}-${colorScheme}`)));
    };
    await see('', 'home');
    await see('history', 'history');
    await see('history?asset=pi&month=2020-01', 'history-none');
    await see('history?asset=usdc-base', 'history-of-coin');
    const entry = await page.getAttribute('.lines a', 'href');
    await see(entry?.replace('/wallet/', '') ?? '', 'entry');
    await see('currency', 'currency');
    await see('account', 'account');
    await page.context().close();
    expect(faults).toEqual([]);
  });
});

describe('on a phone', () => {
  test('receive, send and withdraw are on the first screen, in test mode and with money, above the coins', async () => {
    const { page } = await openLook(browser, { ...phone, locale: 'de' });
    await rich('first_screen');
    await enter(page, 'first_screen');
    for (const path of ['', '?mode=test']) {
      await page.goto(`${app.baseUrl}/wallet/${path}`);
      const boxes = await Promise.all(
        (await page.locator('.moves a').all()).map((each) => each.boundingBox()),
      );
      expect(boxes).toHaveLength(3);
      for (const box of boxes) expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(480);
    }
    await page.goto(`${app.baseUrl}/wallet/`);
    expect((await page.locator('.coin-amount').first().boundingBox())?.y).toBeLessThan(480);
    await page.context().close();
  });

  test('older lines come below those that are there, as the pages without scripts have them', async () => {
    const { page, faults } = await openLook(browser, { ...phone, locale: 'en' });
    await rich('scroller');
    await enter(page, 'scroller');
    await page.goto(`${app.baseUrl}/wallet/history`);
    const at = page.url();
    const linked = (): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('.lines a')].map((each) => each.href)`);
    const first = await linked();
    expect(first).toHaveLength(25);
    const next = (await page.getAttribute('a[data-older]', 'href')) ?? '';
    await page.click('a[data-older]');
    await page.waitForSelector('a[data-older]', { state: 'detached' });
    const all = await linked();
    expect(page.url()).toBe(at);
    expect(new Set(all).size).toBe(all.length);
    // A reader of the screen goes on where the new lines begin.
    expect(await page.evaluate('document.activeElement.href')).toBe(all[25]);
    const days: string[] = await page.evaluate(
      `[...document.querySelectorAll('.day')].map((each) => each.dataset.day)`,
    );
    expect(days).toEqual([...new Set(days)].toSorted().toReversed());
    await page.goto(new URL(next, at).href);
    expect([...first, ...(await linked())]).toEqual(all);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the button that installs the app is there once the browser offers it, and asks it', async () => {
    const { page, faults } = await openLook(browser, { ...phone, locale: 'en' });
    await rich('installer');
    await enter(page, 'installer');
    await page.getByRole('link', { name: 'On your home screen' }).click();
    await page.getByText('Add to Home Screen').first().waitFor();
    const button = page.getByRole('button', { name: 'Install' });
    expect(await button.isVisible()).toBe(false);
    await page.evaluate(`(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true });
      event.prompt = async () => { document.title = 'asked'; };
      dispatchEvent(event);
    })()`);
    await button.click();
    expect([await page.title(), await button.isVisible()]).toEqual(['asked', false]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('recovery codes are copied, and saved as a file', async () => {
    const { page, faults } = await openLook(browser, { ...phone, locale: 'en' });
    await seedUser(app.db, 'code_keeper', password);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await enter(page, 'code_keeper');
    await page.getByRole('link', { name: 'Set up now' }).click();
    await page.waitForSelector('#make-codes[open]');
    await page.fill('#make-codes [name=current]', password);
    await page.click('#make-codes button.button');
    await page.waitForSelector('.codes-list');
    const codes = await page.locator('.codes-list .code').allTextContents();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
    const stream = await file.createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    expect([file.suggestedFilename(), Buffer.concat(parts).toString()]).toEqual([
      'florin-code_keeper.txt',
      codes.join('\n'),
    ]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
