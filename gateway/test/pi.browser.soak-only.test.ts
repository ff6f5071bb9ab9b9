import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pageHeaders } from '../src/checkout/headers.ts';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { auditFindingsOf, createLive, destinationOf } from './chain/demo-chain.ts';
import { callsOf, holdUntilRepeated } from './pi/callbacks.ts';
import { bookedInPi } from './pi/demo-pi.ts';
import type { CreatedPayment } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';
import { subscribe, verifiedWebhook } from './webhooks/verified-webhook.ts';

/** Until a ledger has closed and was read. */
const ledgerMs = 120_000;
/** How often the SDK calls back before the gateway hears of it. */
const repeats = 3;
const narrow = { viewport: { width: 360, height: 740 } };
const piBrowser = { ...narrow, userAgent: 'Mozilla/5.0 (Linux; Android 14; wv) Chrome/120.0 PiBrowser/1.12' };

let gateway: RunningGateway;
let receiver: Receiver;
let webhookSecret: string;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [gateway, browser, receiver] = await Promise.all([
    startGateway({ pi: true }),
    openBrowser(),
    openReceiver(),
  ]);
  const events = ['payment_completed', 'payment_pending'];
  webhookSecret = await subscribe(gateway.liveApi, receiver, events);
});
afterEach(async () => {
  await page.context().close();
  expect(faults.splice(0)).toEqual([]);
});
afterAll(async () => {
  await receiver?.close();
});

/** A tab in which Pi's SDK repeats its callbacks, by default not more often than the gateway takes such calls. */
async function openTab(options: BrowserContextOptions = narrow, intervalMs = 2_000): Promise<void> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(ledgerMs);
  page = await context.newPage();
  await page.addInitScript(`window.piSimulation = { intervalMs: ${intervalMs} };`);
  faults = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
}

const picture = (name: string) => takePicture(page, `pi/${name}`);
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const words = (text: string) => page.locator('#pi-status').getByText(text).waitFor();
const paid = () => heading('Paid. Thank you.').waitFor();

/** Makes a live payment and chooses to pay it in PI. */
async function openPayment(amount: number): Promise<{ reference: string; url: string }> {
  const payment = await createLive(gateway, { amount, currency: 'PI' });
  await destinationOf(payment.url);
  await page.goto(payment.url);
  await page.getByText('Florin demo Pi').first().click();
  await press('Continue');
  await heading('Send PI on Florin demo Pi').waitFor();
  await page
    .getByText(`${amount.toFixed(2)} PI`)
    .first()
    .waitFor();
  return payment;
}

/** A button of the simulated Pi wallet, once the payment is approved. */
function inWallet(name: string): Locator {
  return page.locator('pi-wallet-simulation').getByRole('button', { name });
}

/** The webhook of a payment's end comes, is genuine, and comes once. */
async function completedOnce(reference: string): Promise<void> {
  const keys = { secretKey: gateway.demo.live_secret_key, webhookSecret };
  await verifiedWebhook(receiver, keys, reference, 'payment_completed');
  const ends = receiver.received.filter(
    (each) => each.body.payment_reference === reference && each.body.event_type === 'payment_completed',
  );
  expect(ends).toHaveLength(1);
}

/** Does something, and tells what the ledger booked of PI meanwhile, in units; nothing may be amiss in it. */
async function bookedBy(work: () => Promise<void>): Promise<bigint> {
  const before = await bookedInPi(gateway);
  await work();
  expect(await auditFindingsOf(gateway)).toEqual([]);
  return (await bookedInPi(gateway)) - before;
}

test('live PI from the shop is paid by a plain transfer, with what the page has to copy', async () => {
  await openTab({ ...narrow, permissions: ['clipboard-read', 'clipboard-write'] });
  const booked = await bookedBy(async () => {
    await page.goto(`${gateway.demo.shop_url}/products/letter-paper`);
    await page.getByRole('radio', { name: /^Live, with a wallet/ }).click();
    await press('Buy');
    await heading('Choose how to pay').waitFor();
    await picture('transfer-1-choose');
    await page.getByText('Florin demo Pi').first().click();
    await press('Continue');
    await heading('Send PI on Florin demo Pi').waitFor();
    const url = page.url();
    const reference = new URL(url).searchParams.get('reference')!;
    await page.getByText('Pay by transfer instead').click();
    await picture('transfer-2-send');

    const { address, memo, amount } = await destinationOf(url);
    const copied: string[] = [];
    for (const part of ['address', 'memo', 'amount']) {
      await press(`Copy ${part}`);
      await page.locator(`.step-${part}.copied`).waitFor();
      copied.push(await page.evaluate('navigator.clipboard.readText()'));
    }
    expect(copied).toEqual([address, memo, amount]);
    await picture('transfer-3-copied');

    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Open the demo wallet' }).click();
    const wallet = await opening;
    await wallet.waitForLoadState();
    const filled = ['To', 'Amount in π', 'Memo'].map((name) =>
      wallet.getByLabel(name, { exact: true }).inputValue(),
    );
    expect(await Promise.all(filled)).toEqual([address, amount, memo]);
    await wallet.getByRole('button', { name: 'Send' }).click();
    await wallet.getByRole('heading', { name: 'Sent' }).waitFor();

    await paid();
    await picture('transfer-4-paid');
    await completedOnce(reference);
    await page.getByRole('link', { name: /^Return to .*127\.0\.0\.1/ }).click();
    await heading('Paid, thank you').waitFor();
  });
  expect(booked).toBe(120_000_000n);
});

describe('in the Pi Browser', () => {
  test('a payment is approved, paid and completed once, however often the SDK calls back', async () => {
    await openTab({ ...piBrowser, colorScheme: 'dark' }, 100);
    const booked = await bookedBy(async () => {
      const { reference } = await openPayment(3);
      const calls = callsOf(page);
      for (const call of ['approve', 'complete']) await holdUntilRepeated(page, call, repeats);
      expect(await page.locator('.transfer .steps').isVisible()).toBe(false);
      await picture('browser-1-offered');
      await press('Pay with Pi');
      await words('Confirm 3.00 PI in your Pi wallet.');
      await picture('browser-2-confirm');
      await inWallet('Pay').click();
      await paid();
      await picture('browser-3-paid');
      await completedOnce(reference);
      expect(calls.filter((call) => call === 'approve').length).toBeGreaterThanOrEqual(repeats);
      // The transfer may be read before the SDK has repeated itself.
      expect(calls).toContain('complete');
    });
    expect(booked).toBe(30_000_000n);
  });

  test('whoever cancels, or whose wallet breaks, has paid nothing and can pay after all', async () => {
    await openTab(piBrowser);
    const booked = await bookedBy(async () => {
      const { reference } = await openPayment(4);
      await press('Pay with Pi');
      await inWallet('Cancel').click();
      await words('You declined it in your wallet. Nothing was sent.');
      await picture('browser-4-cancelled');
      await press('Pay with Pi');
      await inWallet('Fail').click();
      await words('Your wallet reports: The simulated wallet broke.');
      await picture('browser-5-broken');
      await press('Pay with Pi');
      await inWallet('Pay').click();
      await paid();
      await completedOnce(reference);
    });
    expect(booked).toBe(40_000_000n);
  });

  test('a payment that was left unpaid is ended at the next visit, and the next one paid', async () => {
    await openTab(piBrowser);
    const booked = await bookedBy(async () => {
      await openPayment(5);
      await press('Pay with Pi');
      await words('Confirm 5.00 PI in your Pi wallet.');
      const { reference } = await openPayment(6);
      const calls = callsOf(page);
      await press('Pay with Pi');
      await inWallet('Pay').click();
      await paid();
      await completedOnce(reference);
      expect(calls).toContain('incomplete');
    });
    expect(booked).toBe(60_000_000n);
  });

  test('a payment that was left after it was paid completes, and is never asked for again', async () => {
    await openTab(piBrowser);
    const booked = await bookedBy(async () => {
      const left = await openPayment(7);
      // The page is left before it can tell the gateway.
      await page.route('**/pay/pi/complete', (route) => route.abort());
      await press('Pay with Pi');
      await words('Confirm 7.00 PI in your Pi wallet.');
      await inWallet('Pay').click();
      await page.locator('#pi-status .sent').or(heading('Sent, waiting for the network')).first().waitFor();
      const next = await openPayment(8);
      await press('Pay with Pi');
      await inWallet('Pay').click();
      await page.unrouteAll();
      await paid();
      await completedOnce(next.reference);
      await completedOnce(left.reference);
      await page.goto(left.url);
      await paid();
    });
    expect(booked).toBe(150_000_000n);
  });

  test("the page works in a frame of Pi's own, where the browser shows its apps", async () => {
    // A page of the internet may not ask this machine for anything without leave.
    await openTab({ ...piBrowser, permissions: ['local-network-access'] });
    const { url, reference } = await createLive(gateway, { amount: 2, currency: 'PI' });
    await page.route('https://app-cdn.minepi.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe allow="local-network-access" src="${url.replaceAll('&', '&amp;')}" width="340" height="700"></iframe>`,
      }),
    );
    await page.goto('https://app-cdn.minepi.com/app');
    const frame = page.frameLocator('iframe');
    await frame.getByText('Florin demo Pi').first().click();
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('button', { name: 'Pay with Pi' }).click();
    await frame.locator('pi-wallet-simulation').getByRole('button', { name: 'Pay' }).click();
    await frame.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor();
    await completedOnce(reference);
  });

  test("whoever waits 15 seconds for Pi's script is told so, and can send it themselves", async () => {
    await openTab({ viewport: { width: 1280, height: 900 } });
    await page.clock.install();
    await openPayment(9);
    await page.route('**/pi-sdk.js*', () => new Promise(() => {}));
    const asked = page.waitForRequest('**/pi-sdk.js*');
    await press('Pay with Pi');
    await asked;
    await words('Opening Pi.');
    await page.clock.fastForward(15_000);
    await words('Pi cannot be reached. Nothing was sent. Try again, or pay by transfer below.');
    await picture('browser-6-silent');
    await page.getByRole('button', { name: 'Copy memo' }).waitFor();
  });
});

test("only the page of a payment that offers Pi's script may load it", async () => {
  const policyOf = async (url: string) => (await fetch(url)).headers.get('content-security-policy');
  const { url } = await createLive(gateway, { amount: 2, currency: 'PI' });
  const sdk = gateway.demo.pi!.horizon_url;
  expect(await policyOf(url)).toContain(`script-src 'self' ${sdk};`);
  expect(await policyOf(url.replace('token=', 'token=no'))).toBe(pageHeaders['content-security-policy']);
  const test = await gateway.api<CreatedPayment>('PUT', '/payment/create', {
    body: { amount: 2, currency: 'PI', payment_type: 'deposit' },
  });
  expect(await policyOf(test.body.data.PaymentURL)).toBe(pageHeaders['content-security-policy']);
});

test('nothing of all this was a fault of the gateway or of the shop', () => {
  expect(gateway.log()).toBe('');
});
