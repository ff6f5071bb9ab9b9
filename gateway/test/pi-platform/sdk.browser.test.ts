import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@stellar/stellar-sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../browser/browser.ts';
import { takePicture } from '../browser/pictures.ts';
import { type Horizon, startHorizon } from '../horizon/horizon.ts';
import type { PaymentDto } from './payment.ts';
import { type PlatformServer, startPiPlatform } from './platform.ts';

/** Pictures of the wallet over a page, for people to look at; git does not keep them. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const passphrase = 'Florin Test Pi';
const coins = 10_000_000_000n;
const intervalMs = 150;

let horizon: Horizon;
let platform: PlatformServer;
let shop: Server;
let browser: Browser;
beforeAll(async () => {
  [horizon, browser] = await Promise.all([startHorizon({ passphrase }), openBrowser()]);
  const custody = Keypair.random().publicKey();
  horizon.fund(custody, coins);
  const app = { name: 'Nib & Folio', key: 'server-key', account: custody };
  platform = await startPiPlatform({ horizonUrl: horizon.url, passphrase, app });
  shop = await openShop(platform);
});
afterAll(async () => {
  shop?.close();
  await platform?.stop();
  await horizon?.stop();
});

let username: string;
let told: { callback: string; given: unknown[] }[];
beforeEach(() => {
  told = [];
  username = `user-${horizon.core.last().sequence}`;
  const { wallet } = platform.users.add({ username });
  horizon.fund(wallet.publicKey(), coins);
});

/** A page of another origin, whose policy lets in the SDK's script and what that asks, and no style at all. */
async function openShop({ sdkUrl, url }: PlatformServer): Promise<Server> {
  const server = createServer((_, response) => {
    const policy = `default-src 'none'; script-src ${url}; connect-src ${url}`;
    const headers = { 'content-type': 'text/html', 'content-security-policy': policy };
    response
      .writeHead(200, headers)
      .end(
        `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main><script src="${sdkUrl}"></script>`,
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

type Look = { width?: number; colorScheme?: 'dark'; approvalMs?: number };

async function openPage({ width = 480, approvalMs = 60_000, ...scheme }: Look = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 720 }, ...scheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy'))
      told.push({ callback: 'policy', given: [message.text()] });
  });
  await page.exposeFunction('tell', (callback: string, ...given: unknown[]) => {
    told.push({ callback, given });
  });
  await page.addInitScript(`window.piSimulation = ${JSON.stringify({ intervalMs, approvalMs, username })};`);
  await page.addInitScript(axe);
  await visit(page);
  return page;
}

/** Loads the page, signs in and tells what was found unfinished. */
async function visit(page: Page): Promise<void> {
  const { port } = shop.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}`);
  const user = await page.evaluate(`(async () => {
    Pi.init({ version: '2.0' });
    const { user } = await Pi.authenticate(['username', 'payments'], (payment) => tell('incomplete', payment));
    return user.username;
  })()`);
  expect(user).toBe(username);
}

async function createPayment(page: Page): Promise<void> {
  await page.evaluate(`Pi.createPayment(
    { amount: 3.5, memo: 'Letter paper', metadata: { reference: 'order-1' } },
    {
      onReadyForServerApproval: (id) => tell('approval', id),
      onReadyForServerCompletion: (id, txid) => tell('completion', id, txid),
      onCancel: (id) => tell('cancel', id),
      onError: (error, payment) => tell('error', error.message, payment),
    },
  )`);
}

const toldOf = (callback: string) => told.filter((each) => each.callback === callback);
const untilTold = (callback: string, times = 1) =>
  expect.poll(() => toldOf(callback).length, { interval: 20 }).toBeGreaterThanOrEqual(times);
const payment = (): PaymentDto => platform.payments().at(-1)!;

async function ask(what: string, body: object = {}): Promise<number> {
  const response = await fetch(`${platform.apiUrl}/payments/${payment().identifier}/${what}`, {
    method: 'POST',
    headers: { authorization: 'Key server-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.status;
}

async function approved(page: Page): Promise<void> {
  await createPayment(page);
  await untilTold('approval');
  await ask('approve');
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const isOpen = (page: Page) => page.getByRole('dialog').isVisible();

test('both callbacks are repeated until the server has acted, and the wallet is a good citizen of the page', async () => {
  const page = await openPage({ width: 360, colorScheme: 'dark' });
  await createPayment(page);
  await untilTold('approval', 3);
  expect(await page.getByRole('button', { name: 'Pay' }).isDisabled()).toBe(true);
  expect(await ask('approve')).toBe(200);
  await page.getByText('The shop has approved').waitFor();
  for (const words of ['Simulated Pi wallet', 'Nib & Folio', '3.5 π', 'Letter paper'])
    expect(await page.getByText(words).isVisible()).toBe(true);
  await takePicture(page, 'pi/wallet-over-page-dark', { fullPage: false });
  expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual(
    [],
  );
  await press(page, 'Pay');
  await untilTold('completion', 3);
  expect(await isOpen(page)).toBe(false);
  const [identifier, txid] = toldOf('completion')[0]!.given;
  expect(identifier).toBe(payment().identifier);
  expect(await ask('complete', { txid: txid as string })).toBe(200);
  expect(toldOf('policy')).toEqual([]);
  expect(toldOf('error')).toEqual([]);
});

test('a customer who cancels pays nothing, and the page shows it', async () => {
  const page = await openPage();
  await approved(page);
  await takePicture(page, 'pi/wallet-over-page-light', { fullPage: false });
  await press(page, 'Cancel');
  await untilTold('cancel');
  expect(payment()).toMatchObject({ status: { user_cancelled: true }, transaction: null });
  expect(await isOpen(page)).toBe(false);
});

test('a wallet that breaks is an error, with the payment that it is about', async () => {
  const page = await openPage();
  await approved(page);
  await press(page, /^Fail/);
  await untilTold('error');
  const [message, about] = toldOf('error')[0]!.given as [string, PaymentDto];
  expect(message).toContain('broke');
  expect(about).toMatchObject({ identifier: payment().identifier, status: { cancelled: true } });
});

test('a shop that does not approve in time is an error, and the payment is cancelled', async () => {
  const page = await openPage({ approvalMs: 300 });
  await createPayment(page);
  await untilTold('error');
  expect(toldOf('error')[0]!.given[0]).toContain('did not approve');
  expect(payment().status.cancelled).toBe(true);
  expect(await isOpen(page)).toBe(false);
});

test('what was paid and not completed is found at the next visit, and stands in the way until then', async () => {
  const page = await openPage();
  await approved(page);
  await press(page, 'Pay');
  await untilTold('completion');
  await visit(page);
  await untilTold('incomplete');
  expect(toldOf('incomplete')[0]!.given).toEqual([payment()]);
  await createPayment(page);
  await untilTold('error');
  expect(toldOf('error')[0]!.given[0]).toBe('A pending payment needs to be handled.');
  await untilTold('incomplete', 2);
  expect(await ask('complete', { txid: payment().transaction!.txid })).toBe(200);
  await approved(page);
  await expect.poll(() => isOpen(page)).toBe(true);
});
