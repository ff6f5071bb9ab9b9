import type { Page } from 'playwright-core';
import { toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { injectWallet } from '../../test/browser/browser-wallet.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { isSeenIn, judge, looks, openLook } from '../../test/browser/checkout-look.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import { accounts, startChain } from '../../test/chain/chain.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const demo = PAYMENTS['linked-demo'];
const shown = {
  ...demo,
  destinations: demo.destinations.map((each) => ({
    ...each,
    evm: { ...each.evm!, chainId: chain.id, token: chain.tokens['usdc-bep20']!.address },
  })),
};
const rich = toHex(accounts.payer.getHdKey().privateKey!);
const poor = toHex(accounts.stranger.getHdKey().privateKey!);

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);

server.show(shown);

const press = (page: Page, id: string) => page.locator(`#${id}`).click();
const line = (page: Page, name: string) => page.locator(`#wallet-status .${name}`).waitFor();

describe.each(Object.entries(looks))('in the %s look, paying with a browser wallet', (look, setting) => {
  const { locale, options } = setting;
  const wallet = { rpcUrl: chain.rpcUrl, chainId: chain.id };

  test('is accessible and fits the screen, whatever the wallet does', async () => {
    const { page, faults } = await openLook(browser, options);
    let pages = 0;
    const see = async (name: string): Promise<void> => {
      if (isSeenIn(look, pages++)) faults.push(...(await judge(page, `wallet-${name}-${look}`)));
    };

    await page.goto(`${server.url}?lang=${locale}`);
    await page.waitForLoadState('networkidle');
    // A phone offers to open a wallet app.
    if (await page.locator('#pay-wallet').isVisible()) await press(page, 'pay-wallet');
    await see('none');

    const payer = await injectWallet(page, { ...wallet, privateKey: rich, name: 'Kestrel' });
    await page.reload();
    await page.locator('#pay-wallet img').waitFor();
    await see('found');
    payer.decide = () => new Promise(() => {});
    await press(page, 'pay-wallet');
    await line(page, 'waiting');
    await see('waiting');

    payer.decide = async () => 'decline';
    await page.reload();
    await press(page, 'pay-wallet');
    await line(page, 'problem');
    await see('declined');

    payer.decide = async () => 'approve';
    await press(page, 'pay-wallet');
    await line(page, 'sent');
    await see('sent');
    await page.clock.install();
    await page.clock.fastForward(3_600_000);
    await press(page, 'wallet-warn');
    await see('again');

    await injectWallet(page, {
      ...wallet,
      privateKey: poor,
      name: 'A wallet with quite a long name, as some have',
    });
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await press(page, 'pay-wallet');
    await page.locator('#wallet-1').waitFor();
    await see('choice');
    await press(page, 'wallet-1');
    await line(page, 'problem');
    await see('too-little');

    await page.context().close();
    expect(faults).toEqual([]);
  });
});
