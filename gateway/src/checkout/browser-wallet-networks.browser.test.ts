import type { Browser, Page } from 'playwright-core';
import { toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { type BrowserWallet, injectWallet, type WalletOptions } from '../../test/browser/browser-wallet.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type PageServer, startPageServer } from '../../test/browser/page-server.ts';
import { accounts, startChain } from '../../test/chain/chain.ts';
import type { EvmTarget } from '../rails/rail.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

const chain = await startChain();
const usdc = chain.tokens['usdc-bep20']!;
const local: EvmTarget = {
  ...PAYMENTS['linked-demo'].destinations[0]!.evm!,
  chainId: chain.id,
  chainName: 'Local',
  token: usdc.address,
  publicRpcUrl: chain.rpcUrl,
};
const keyOf = (account: typeof accounts.payer) => toHex(account.getHdKey().privateKey!);
const payerKey = keyOf(accounts.payer);

let server: PageServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
});
afterEach(() => page.context().close());
afterAll(() => server?.close());

/** A payment to a new address. */
function payment(target: Partial<EvmTarget> = {}, changes: Partial<CheckoutPayment> = {}): CheckoutPayment {
  const address = privateKeyToAddress(generatePrivateKey());
  const evm = { ...local, ...target };
  const destinations = PAYMENTS['linked-demo'].destinations.map((each) => ({ ...each, address, evm }));
  return { ...PAYMENTS['linked-demo'], destinations, ...changes };
}

/** Opens the page of a payment in a browser with these wallets. */
async function open(shown: CheckoutPayment, ...wallets: Partial<WalletOptions>[]): Promise<BrowserWallet[]> {
  const context = await browser.newContext({ viewport: { width: 600, height: 900 } });
  page = await context.newPage();
  const common = { privateKey: payerKey, rpcUrl: chain.rpcUrl, chainId: chain.id };
  const injected: BrowserWallet[] = [];
  for (const wallet of wallets) injected.push(await injectWallet(page, { ...common, ...wallet }));
  server.show(shown);
  await page.goto(server.url);
  return injected;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const words = (text: string) => page.locator('main').getByText(text).first().waitFor();

describe('a browser wallet', () => {
  // As MetaMask on a phone, WalletConnect and others have said it.
  const unknown: Record<string, unknown> = {
    'an inner code': {
      code: -32603,
      message: 'Unrecognized chain ID',
      data: { originalError: { code: 4902 } },
    },
    'no inner code': { code: -32603, message: 'Unrecognized chain ID "0x7a69". Try adding the chain first.' },
    'a positive code': { code: 32603, message: 'Invalid chainId' },
    'the code of a server': { code: -32000, message: 'Chain 31337 is not supported' },
    'words alone': 'Chain not configured',
  };
  test.each(Object.keys(unknown))('that says by %s that it does not know it is asked too', async (how) => {
    const [wallet] = await open(payment(), {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1, unknownChain: unknown[how] });
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    expect(wallet!.asked).toContain('wallet_addEthereumChain');
  });

  test.each([
    { code: 4001, message: 'Unrecognized', data: { originalError: { code: 4902 } } },
    { code: -32603, message: 'User rejected the request.', data: { originalError: { code: 4001 } } },
    { code: -32603, message: 'The user denied to switch the chain' },
    { code: 5000, message: 'User disapproved' },
  ])('is asked nothing more by its owner’s refusal to switch: %j', async (declined) => {
    const [wallet] = await open(payment(), {});
    Object.assign(wallet!, {
      chainId: 1,
      declined,
      decide: async (question: string) => (question === 'switch' ? 'decline' : 'approve'),
    });
    await button('Pay with Test Wallet').click();
    await words('You declined it in your wallet. Nothing was sent.');
    expect(wallet!.asked).not.toContain('wallet_addEthereumChain');
  });

  test('that cannot add a network either is told which one to choose', async () => {
    const [wallet] = await open(payment(), {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1, unknownChain: { code: -32601, message: 'no such method' } });
    wallet!.decide = async (question) => {
      if (question === 'add') throw Object.assign(new Error('no such method'), { code: -32601 });
      return 'approve';
    };
    await button('Pay with Test Wallet').click();
    await words(`Choose Florin demo chain (chain ${chain.id}) in your wallet, or add it there`);
  });
});
