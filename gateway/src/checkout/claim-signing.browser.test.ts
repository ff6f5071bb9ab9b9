import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { type BrowserWallet, injectWallet } from '../../test/browser/browser-wallet.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { CLAIMS } from '../../test/browser/owed-payments.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import { signedBy } from '../rails/evm/addresses/signed-by.ts';

const claim = CLAIMS['claim-to-sign'];
const { statement } = claim.proof;
const privateKey = generatePrivateKey();
const signer = privateKeyToAccount(privateKey).address.toLowerCase();

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;

afterEach(() => page.context().close());

/** Opens the claim in a browser with a wallet of this key, or with none. */
async function open(key: typeof privateKey | null): Promise<BrowserWallet | null> {
  const context = await browser.newContext({ viewport: { width: 480, height: 1200 } });
  page = await context.newPage();
  const chain = { rpcUrl: 'http://127.0.0.1:9', chainId: 1 };
  const wallet = key && (await injectWallet(page, { privateKey: key, ...chain, name: 'Sly <b>Wallet' }));
  server.show(PAYMENTS['completed-owed'], {
    claim: { ...claim, line: { ...claim.line, signers: [signer] } },
  });
  await page.goto(server.url);
  return wallet;
}

const signature = () => page.getByLabel('Signature (optional)').inputValue();
const press = () => page.getByRole('button', { name: 'Sign with Sly <b>Wallet', exact: true }).click();
const words = (text: string) => page.locator('#proof').getByText(text).waitFor();

test('a browser wallet signs the text that is shown, and its signature is filled in', async () => {
  const wallet = await open(privateKey);
  await press();
  await words('Signed. Confirm it with the button below.');
  expect(signedBy(statement, await signature())).toBe(signer);
  expect(wallet?.asked).toEqual(['eth_requestAccounts', 'personal_sign']);
});

test('a wallet that is at another address is told which one to choose', async () => {
  const other = generatePrivateKey();
  const wallet = await open(other);
  await press();
  const { address } = privateKeyToAccount(other);
  await words(`Your wallet uses ${address.toLowerCase()}. Choose the address that the money came from.`);
  expect(await signature()).toBe('');
  expect(wallet?.asked).toEqual(['eth_requestAccounts']);
});

test('a wallet whose owner declines can be asked again', async () => {
  const wallet = await open(privateKey);
  if (wallet) wallet.decide = async (question) => (question === 'sign' ? 'decline' : 'approve');
  await press();
  await words('You declined it in your wallet. Nothing was signed.');
  if (wallet) wallet.decide = async () => 'approve';
  await press();
  await words('Signed. Confirm it with the button below.');
  expect(await signature()).toMatch(/^0x[0-9a-f]{130}$/);
});

test('without a wallet in the browser, the text stands there to be signed elsewhere', async () => {
  await open(null);
  await page.getByText('Payment: PAY_01KSXV4P7Q2M8NB5').waitFor();
  expect(await page.getByRole('button', { name: /^Sign with/ }).count()).toBe(0);
  expect(await signature()).toBe('');
});
