import type { Page } from 'playwright-core';
import { toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';
import type { EvmTarget } from '../../src/rails/rail.ts';
import { accounts, startChain } from '../chain/chain.ts';
import { openBrowser } from './browser.ts';
import { type BrowserWallet, injectWallet, type WalletOptions } from './browser-wallet.ts';
import { PAYMENTS } from './checkout-fixtures.ts';
import { startPageServer } from './page-server.ts';

export const keyOf = (account: typeof accounts.payer) => toHex(account.getHdKey().privateKey!);

/** Pages of payments on a local chain, opened one after another in browsers with wallets of the test. */
export async function startWalletPages() {
  const chain = await startChain();
  const usdc = chain.tokens['usdc-bep20']!;
  const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
  const common = { privateKey: keyOf(accounts.payer), rpcUrl: chain.rpcUrl, chainId: chain.id };
  const demo = PAYMENTS['linked-demo'];
  const local: EvmTarget = {
    ...demo.destinations[0]!.evm!,
    chainId: chain.id,
    chainName: 'Local',
    token: usdc.address,
    publicRpcUrl: chain.rpcUrl,
  };
  let page: Page;
  return {
    chain,
    usdc,
    server,
    browser,
    /** The page that was opened last. */
    page: (): Page => page,
    /** A payment to a new address. */
    payment(target: Partial<EvmTarget> = {}): CheckoutPayment {
      const address = privateKeyToAddress(generatePrivateKey());
      const evm = { ...local, ...target };
      return { ...demo, destinations: demo.destinations.map((each) => ({ ...each, address, evm })) };
    },
    /** Opens the page of a payment in a browser with these wallets. */
    async open(shown: CheckoutPayment, ...wallets: Partial<WalletOptions>[]): Promise<BrowserWallet[]> {
      const context = await browser.newContext({ viewport: { width: 600, height: 900 } });
      page = await context.newPage();
      const injected: BrowserWallet[] = [];
      for (const wallet of wallets) injected.push(await injectWallet(page, { ...common, ...wallet }));
      server.show(shown);
      await page.goto(server.url);
      return injected;
    },
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    words: (text: string) => page.locator('main').getByText(text).first().waitFor(),
  };
}
