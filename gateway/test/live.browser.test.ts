import type { Browser, Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { type BrowserWallet, injectWallet } from './browser/browser-wallet.ts';
import { takePicture } from './browser/pictures.ts';
import { auditFindingsOf, bookedOnChain, createLive, demoChain, treasuryOfDemo } from './chain/demo-chain.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { subscribe, verifiedWebhook } from './webhooks/verified-webhook.ts';

/** Pictures of every step, for people to look at; git does not keep them. */
/** Until a block, its confirmations, or a sweep. */
const chainMs = 120_000;

let gateway: RunningGateway;
let receiver: Receiver;
let webhookSecret: string;
let browser: Browser;
let page: Page;
let wallet: BrowserWallet;

beforeAll(async () => {
  [gateway, browser, receiver] = await Promise.all([
    startGateway({ chain: true }),
    openBrowser(),
    openReceiver(),
  ]);
  const events = ['payment_completed', 'payment_pending'];
  webhookSecret = await subscribe(gateway.liveApi, receiver, events);
});
afterEach(() => page.context().close());
afterAll(async () => {
  await receiver?.close();
});

const customerKey = generatePrivateKey();
const customer = privateKeyToAddress(customerKey);

/** A tab with a wallet that holds nothing and knows another network. */
async function openTab(look: { colorScheme?: 'dark'; width?: number } = {}): Promise<void> {
  const { width = 480, ...scheme } = look;
  const context = await browser.newContext({ viewport: { width, height: 960 }, ...scheme });
  context.setDefaultTimeout(chainMs);
  page = await context.newPage();
  const { rpc_url } = gateway.demo.chain!;
  wallet = await injectWallet(page, { privateKey: customerKey, rpcUrl: rpc_url, chainId: 1 });
}

const picture = (name: string) => takePicture(page, `live/${name}`);
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
/** On a busy machine the confirmations may be there before the page is looked at. */
const seen = () => heading(/^(Sent, waiting for the network|Paid\. Thank you\.)$/);
const click = (role: 'link' | 'button' | 'radio', name: string | RegExp) =>
  page.getByRole(role, { name }).click();
const referenceOfPage = () => new URL(page.url()).searchParams.get('reference')!;

/** The webhook that tells of something about a payment comes and is genuine. */
async function webhookOf(reference: string, type: string): Promise<void> {
  const keys = { secretKey: gateway.demo.live_secret_key, webhookSecret };
  await verifiedWebhook(receiver, keys, reference, type);
}

/** Waits until the treasury has what was paid in all, on the chain and in the ledger. */
async function sweptToTreasury(units: bigint): Promise<void> {
  const treasury = await treasuryOfDemo(gateway);
  const { balanceOf } = demoChain(gateway.demo.chain!);
  await expect.poll(() => balanceOf('usdc-bep20', treasury), { timeout: chainMs }).toBe(units);
  await expect
    .poll(() => bookedOnChain(gateway, 'usdc-bep20'), { timeout: chainMs, interval: 250 })
    .toEqual({ addresses: 0n, treasury: units });
  expect(await auditFindingsOf(gateway)).toEqual([]);
}

describe('live money', () => {
  test('goes from a browser wallet through the shop to the treasury', async () => {
    await openTab();
    await page.goto(`${gateway.demo.shop_url}/products/ledger-notebook`);
    await click('radio', /^Live, with a wallet/);
    await picture('wallet-1-product');
    await click('button', 'Buy');
    await heading('Choose how to pay').waitFor();
    await picture('wallet-2-choose');
    await page.getByText('Florin demo chain').first().click();
    await click('button', 'Continue');
    await heading('Send USDC on Florin demo chain').waitFor();
    await page.getByText('18.00 USDC').first().waitFor();
    const reference = referenceOfPage();
    await picture('wallet-3-send');

    await page.getByText('Get test coins').click();
    await page.getByLabel('Address of your wallet').fill(customer);
    await click('button', 'Send test coins');
    await page.getByText('Test coins are on their way to your wallet.').waitFor();
    await picture('wallet-4-test-coins');
    const { balanceOf } = demoChain(gateway.demo.chain!);
    await expect.poll(() => balanceOf('usdc-bep20', customer), { timeout: chainMs }).toBe(10n ** 21n);

    await click('button', /^Pay with Test Wallet/);
    await page.locator('.sent').or(seen()).first().waitFor();
    await picture('wallet-5-sent');
    expect(wallet.chainId).toBe(gateway.demo.chain!.chain_id);
    await seen().waitFor();
    await picture('wallet-6-seen');
    await heading('Paid. Thank you.').waitFor();
    await picture('wallet-7-paid');
    await webhookOf(reference, 'payment_pending');
    await webhookOf(reference, 'payment_completed');

    await click('link', /^Return to .*127\.0\.0\.1/);
    await heading('Paid, thank you').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await picture('wallet-8-order');
    await sweptToTreasury(18n * 10n ** 18n);
  });

  test('comes by a plain transfer to the address that the page shows, from anywhere', async () => {
    await openTab({ colorScheme: 'dark', width: 360 });
    const { reference, url } = await createLive(gateway, { amount: 25.123456 });
    await page.goto(url);
    await page.getByText('Florin demo chain').first().click();
    await click('button', 'Continue');
    await heading('Send USDC on Florin demo chain').waitFor();
    await page.getByText('25.123456 USDC').first().waitFor();
    await picture('transfer-1-send');
    const [address] = /0x[0-9a-fA-F]{40}/.exec((await page.locator('main').textContent())!)!;
    await demoChain(gateway.demo.chain!).send('usdc-bep20', address, '25.123456');
    await seen().waitFor();
    await heading('Paid. Thank you.').waitFor();
    await picture('transfer-2-paid');
    await webhookOf(reference, 'payment_completed');
    await sweptToTreasury(18n * 10n ** 18n + 25_123_456n * 10n ** 12n);
  });
});

test('nothing of all this was a fault of the gateway or of the shop', () => {
  expect(gateway.log()).toBe('');
});
