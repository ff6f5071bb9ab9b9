import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { keyOf, startWalletPages } from '../../test/browser/wallet-pages.ts';
import { accounts } from '../../test/chain/chain.ts';
import type { Hex } from '../rails/evm/config/chains.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

const { chain, usdc, server, browser, payment, open, page, button, words } = await startWalletPages();
/** The amount of the fixture: 25.500000000000000001 USDC. */
const units = 25_500_000_000_000_000_001n;

afterEach(() => page().context().close());

const addressOf = ({ destinations }: CheckoutPayment) => destinations[0]!.address as Hex;
/** Longer than the network usually needs. */
const muchLater = async () => {
  await page().clock.install();
  await page().clock.fastForward(3_600_000);
};
const arrived = (shown: CheckoutPayment, sum: bigint) =>
  expect.poll(() => usdc.balanceOf(addressOf(shown))).toBe(sum);

describe('a browser wallet', () => {
  test('pays exactly what is due to the address that is shown', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting for the network');
    const receipt = await chain.mined(wallet!.sent[0]!);
    expect(receipt.status).toBe('success');
    expect(receipt.to).toBe(usdc.address);
    await arrived(shown, units);
    expect(wallet!.asked.filter((method) => /request|wallet|send/i.test(method))).toEqual([
      'eth_requestAccounts',
      'eth_sendTransaction',
    ]);
  });

  test('is asked after the page was loaded again, when the script that asks could not be', async () => {
    const shown = payment();
    await open(shown, {});
    await page().route(/\/transfer-/, (route) => route.abort(), { times: 1 });
    await Promise.all([page().waitForEvent('load'), button('Pay with Test Wallet').click()]);
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    await arrived(shown, units);
  });

  test('is switched to the network of the payment', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    Object.assign(wallet!, { chainId: 1 });
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    expect(wallet!.asked).toContain('wallet_switchEthereumChain');
    expect(wallet!.chainId).toBe(chain.id);
    await arrived(shown, units);
  });

  test('is asked to add a network that it does not know', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1 });
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    expect(wallet!.chains.get(chain.id)).toBe(chain.rpcUrl);
    expect(wallet!.chainId).toBe(chain.id);
    await arrived(shown, units);
  });

  test('without the network, and with no public endpoint to add: the page names the network to choose', async () => {
    const [wallet] = await open(payment({ publicRpcUrl: null }), {});
    wallet!.chains.delete(chain.id);
    Object.assign(wallet!, { chainId: 1 });
    await button('Pay with Test Wallet').click();
    await words(`Choose Florin demo chain (chain ${chain.id}) in your wallet, or add it there`);
    expect(wallet!.asked).not.toContain('eth_sendTransaction');
  });

  test.each(['connect', 'send'] as const)('whose owner declines at "%s" can be used again', async (at) => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    wallet!.decide = async (question) => (question === at ? 'decline' : 'approve');
    await button('Pay with Test Wallet').click();
    await words('You declined it in your wallet. Nothing was sent.');
    expect(await usdc.balanceOf(addressOf(shown))).toBe(0n);
    wallet!.decide = async () => 'approve';
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    await arrived(shown, units);
  });

  test('that does not answer: the page says that it waits', async () => {
    const [wallet] = await open(payment(), {});
    const answer = Promise.withResolvers<'decline'>();
    wallet!.decide = () => answer.promise;
    await button('Pay with Test Wallet').click();
    await words('Waiting for your wallet: allow it to show its address to this page.');
    expect(await page().locator('#pay-wallet').getAttribute('aria-disabled')).toBe('true');
    answer.resolve('decline');
    await words('You declined it in your wallet.');
    expect(await page().locator('#announcer').textContent()).toContain('Nothing was sent.');
  });

  test('with too little: the page shows its balance, and its address is filled in for test coins', async () => {
    const [wallet] = await open(payment(), { privateKey: keyOf(accounts.stranger) });
    await button('Pay with Test Wallet').click();
    await words('Your wallet holds 0 USDC on Florin demo chain');
    await page().locator('#faucet-summary').click();
    expect(await page().inputValue('#address')).toBe(accounts.stranger.address.toLowerCase());
    expect(wallet!.asked).not.toContain('eth_sendTransaction');
  });

  test('without the coin for the network fee: the page says so', async () => {
    const privateKey = generatePrivateKey();
    await usdc.mint(privateKeyToAddress(privateKey), units);
    await open(payment(), { privateKey });
    await button('Pay with Test Wallet').click();
    await words('Your wallet needs some ETH on Florin demo chain for the network fee. Nothing was sent.');
  });

  test('that fails is quoted, and a second try needs a confirmation', async () => {
    const [wallet] = await open(payment(), {});
    wallet!.decide = async (question) => {
      if (question === 'send') throw Object.assign(new Error('Ledger is locked'), { code: -32603 });
      return 'approve';
    };
    await button('Pay with Test Wallet').click();
    await words('Your wallet reports: Ledger is locked. Check there whether anything was sent');
    await words('A payment request was sent to your wallet.');
  });
});

describe('a second payment', () => {
  test('is made only after a warning, even after a reload', async () => {
    const shown = payment();
    await open(shown, {});
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    await page().reload();
    await words('Sent, waiting');
    const offers = page().locator(
      '.rows, .qr, #pay-wallet, #other-ways, #cancel, .deadline, .amount .copy, #wallet-warn',
    );
    expect(await offers.filter({ visible: true }).count()).toBe(0);
    await muchLater();
    await button('It did not go through?').click();
    await words('Look at the transaction in your wallet first.');
    await arrived(shown, units);
    await page()
      .getByRole('button', { name: /^Send 25\.5.* USDC once more$/ })
      .click();
    await arrived(shown, 2n * units);
  });

  test('that is declined does not change the first', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    wallet!.decide = async () => 'decline';
    await muchLater();
    await button('It did not go through?').click();
    await page()
      .getByRole('button', { name: /once more$/ })
      .click();
    await words('You declined it in your wallet.');
    await words('Sent, waiting');
    expect(await page().locator('#wallet-status').textContent()).toContain(wallet!.sent[0]!);
  });

  test('of the missing amount needs no warning once the first was seen', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    const transfers = [{ ...PAYMENTS['part-paid'].transfers[0]!, transaction: wallet!.sent[0]! }];
    const missing = shown.destinations.map((each) => ({ ...each, amount: '3.000000000000000001' }));
    const rest = { ...PAYMENTS['part-paid'], transfers, destinations: missing };
    server.show(rest);
    await page().waitForSelector('main[data-screen=part-paid]');
    await button('Pay with Test Wallet').click();
    await arrived(shown, units + 3_000_000_000_000_000_001n);
  });

  test('is not requested when the payment was made while the wallet connected', async () => {
    const shown = payment();
    const [wallet] = await open(shown, {});
    const answer = Promise.withResolvers<'approve'>();
    wallet!.decide = () => answer.promise;
    await button('Pay with Test Wallet').click();
    await words('Waiting for your wallet');
    server.show(PAYMENTS.seen);
    await page().waitForSelector('main[data-screen=seen]');
    answer.resolve('approve');
    await expect.poll(() => wallet!.answered.at(-1)).toBe('eth_gasPrice');
    // When the page answers this, it has processed the earlier answer.
    await page().evaluate('0');
    expect(wallet!.asked).not.toContain('eth_sendTransaction');
  });
});

test('a reverted transfer is shown as failed, and may be made again', async () => {
  const code = await chain.client.getCode({ address: usdc.address });
  const [wallet] = await open(payment(), {});
  await chain.client.setAutomine(false);
  try {
    await button('Pay with Test Wallet').click();
    await words('Sent, waiting');
    await chain.client.setCode({ address: usdc.address, bytecode: '0x5f5ffd' });
    await chain.mine();
    await words('The network refused the transfer. No money has arrived');
    expect(await page().locator('#pay-wallet').getAttribute('aria-disabled')).toBe('false');
    expect(wallet!.sent).toHaveLength(1);
  } finally {
    await chain.client.setCode({ address: usdc.address, bytecode: code! });
    await chain.client.setAutomine(true);
  }
});

describe('the wallets to choose from', () => {
  test('are listed with their names and with their own pictures, which are never fetched', async () => {
    const requests: string[] = [];
    const shown = payment();
    await open(
      shown,
      { name: 'First' },
      { name: '<img src=x onerror=alert(1)>', icon: 'https://wallet.example/icon.svg' },
    );
    page().on('request', (request) => requests.push(request.url()));
    await button('Pay with a browser wallet').click();
    const list = page().getByRole('list', { name: 'Choose your wallet' });
    expect(await list.getByRole('button').allTextContents()).toEqual([
      'First',
      '<img src=x onerror=alert(1)>',
    ]);
    const icons: string[] = await page().evaluate(
      `[...document.querySelectorAll('#wallet-status img')].map(({ src }) => src)`,
    );
    expect(icons).toEqual([expect.stringMatching(/^data:image\/svg/)]);
    expect(requests.filter((url) => url.includes('wallet.example'))).toEqual([]);
    await button('First').click();
    await words('Sent, waiting');
    await arrived(shown, units);
  });

  test('are none in most browsers, and a hint says how else to pay', async () => {
    await open(payment());
    await button('Pay with a browser wallet').click();
    await words('This browser has no wallet. Copy the address, or scan the code');
    expect(await page().locator('#pay-wallet').getAttribute('class')).not.toContain('primary');
  });

  test('may be one that is older than announcements', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript({ content: 'window.ethereum = { request: async () => [] }' });
    server.show(payment());
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Pay with Browser wallet', exact: true }).waitFor();
    await context.close();
  });
});
