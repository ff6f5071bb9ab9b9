import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import { type ScriptedPi, scriptPi } from '../../test/browser/scripted-pi.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

const demo = PAYMENTS['linked-pi-demo'];
const txid = PAYMENTS['seen-pi'].transfers[0]!.transaction;
const piBrowser = { userAgent: 'Mozilla/5.0 (Linux; Android 14; wv) Chrome/120.0 Mobile PiBrowser/1.12' };

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
let page: Page;
let pi: ScriptedPi;

afterEach(() => page.context().close());

/** Opens the page of a payment, with a clock that the test can advance. */
async function open(shown: CheckoutPayment = demo, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 480, height: 900 }, ...options });
  page = await context.newPage();
  await page.clock.install({ time: NOW });
  pi = await scriptPi(page);
  server.show(shown, { isPiBrowser: 'userAgent' in options });
  await page.goto(server.url);
}

const payButton = () => page.getByRole('button', { name: 'Pay with Pi', exact: true });
const words = (text: string) => page.locator('#pi-status').getByText(text).waitFor();
const asked = (call: string) => expect.poll(() => pi.asked.some(([name]) => name === call)).toBe(true);
const callsReported = () => pi.reported.map(([call]) => call);
const fifteenSeconds = () => page.clock.fastForward(15_000);

const sent = () => page.getByRole('heading', { name: 'Sent, waiting for the network' }).waitFor();

/** Presses the button and waits until the SDK has the payment. */
async function start(): Promise<void> {
  await payButton().click();
  await asked('createPayment');
}

describe('paying with Pi', () => {
  test("requests exactly the amount due, and reports the SDK's callbacks to the gateway", async () => {
    await open();
    await start();
    await words('Waiting for this payment to be approved.');
    expect(pi.asked).toEqual([
      ['init', { version: '2.0', sandbox: false }],
      ['authenticate', ['payments']],
      ['createPayment', { amount: 314.1592653, memo: 'F7K2M9QXJT', metadata: { reference: demo.reference } }],
    ]);

    await pi.call('onReadyForServerApproval', 'pay-1');
    await words('Confirm 314.1592653 PI in your Pi wallet.');
    await pi.call('onReadyForServerCompletion', 'pay-1', txid);
    await sent();
    const named = {
      reference: demo.reference,
      app: demo.integration.id,
      token: demo.token,
      lang: 'en',
      pi_payment: 'pay-1',
    };
    expect(pi.reported).toEqual([
      ['approve', named],
      ['complete', { ...named, txid }],
    ]);

    server.show(PAYMENTS['seen-pi']);
    await page.getByRole('heading', { name: 'Sent, waiting for the network' }).waitFor();
  });

  test('works with callbacks that are repeated', async () => {
    await open();
    await start();
    for (let times = 0; times < 2; times++) await pi.call('onReadyForServerApproval', 'pay-1');
    await words('Confirm 314.1592653 PI in your Pi wallet.');
    for (let times = 0; times < 2; times++) await pi.call('onReadyForServerCompletion', 'pay-1', txid);
    // One more callback that comes late.
    await pi.call('onReadyForServerApproval', 'pay-1');
    await expect.poll(callsReported).toEqual(['approve', 'approve', 'complete', 'complete', 'approve']);
    await sent();
    expect(await page.locator('#pi-status p').count()).toBe(1);
  });

  test('offers no second payment once it is sent, not even after a reload', async () => {
    await open();
    await start();
    await pi.call('onReadyForServerCompletion', 'pay-1', txid);
    for (const step of ['sent', 'loaded again']) {
      await sent();
      expect(await payButton().isVisible(), step).toBe(false);
      expect(
        await page
          .locator('#by-transfer, #other-ways, #other-methods, #cancel, .qr, .deadline')
          .locator('visible=true')
          .count(),
      ).toBe(0);
      await page.reload();
    }
    await words(txid);
  });

  test('says that the customer cancelled, and lets them try again', async () => {
    await open();
    await start();
    await pi.call('onReadyForServerApproval', 'pay-1');
    await words('Confirm 314.1592653 PI in your Pi wallet.');
    await pi.call('onCancel', 'pay-1');
    await words('You declined it in your wallet. Nothing was sent.');
    await expect.poll(callsReported).toEqual(['approve', 'cancel']);
    pi.asked = [];
    await start();
    await words('Waiting for this payment to be approved.');
  });

  test('ignores an approval after the customer has cancelled', async () => {
    await open();
    const { answer } = pi;
    pi.answer = (call) => (call === 'approve' ? null : answer(call));
    await start();
    await pi.call('onReadyForServerApproval', 'pay-1');
    await pi.call('onCancel', 'pay-1');
    await fifteenSeconds();
    await words('You declined it in your wallet. Nothing was sent.');
    await expect.poll(() => payButton().getAttribute('aria-disabled')).toBe('false');
  });

  test("shows the error of Pi's wallet", async () => {
    await open();
    await start();
    await page.evaluate(`window.piCallbacks.onError(new Error('Not enough Pi'))`);
    await words('Your wallet reports: Not enough Pi. Check there whether anything was sent');
    await expect.poll(() => payButton().getAttribute('aria-disabled')).toBe('false');
  });

  test('warns against paying again when the transaction is not for this payment', async () => {
    await open();
    await start();
    pi.answer = () => ({ status: 'refused', message_key: 'pi_wrong_transaction' });
    await pi.call('onReadyForServerCompletion', 'pay-1', txid);
    await words('What Pi sent does not match this payment. Do not pay again');
    await words(txid);
    expect(await payButton().isVisible()).toBe(false);
  });

  test('stays sent when an error follows', async () => {
    await open();
    await start();
    await page.evaluate(
      `window.piCallbacks.onError(new Error('Lost'), { identifier: 'pay-1', transaction: { txid: '${txid}' } })`,
    );
    await sent();
  });
});

describe('a refusal of the gateway', () => {
  test.each([
    ['pi_mismatch', 'This payment cannot be approved now.'],
    ['pi_other_open', 'This payment is open in Pi a second time.'],
    ['pi_other_paid', 'This payment has been paid with Pi already. Do not pay again'],
  ])('%s is shown, also after Pi has cancelled because of it', async (message_key, text) => {
    await open();
    pi.answer = () => ({ status: 'refused', message_key });
    await start();
    await pi.call('onReadyForServerApproval', 'pay-1');
    await words(text);
    await pi.call('onCancel', 'pay-1');
    await expect.poll(callsReported).toEqual(['approve', 'cancel']);
    await words(text);
  });
});

describe('a payment that was left unfinished', () => {
  const earlier = { identifier: 'pay-0', metadata: { reference: 'PAY_OTHER' }, transaction: null };

  test('is ended before the next one', async () => {
    await open();
    pi.authenticate = async () => earlier;
    await start();
    expect(pi.reported).toEqual([['incomplete', expect.objectContaining({ pi_payment: 'pay-0' })]]);
    await words('Waiting for this payment to be approved.');
  });

  test('that cannot be ended yet: the page says so', async () => {
    await open();
    pi.authenticate = async () => earlier;
    pi.answer = () => ({ status: 'pending' });
    await payButton().click();
    await words('An earlier payment of yours is still being finished. Try again in a minute');
    expect(pi.asked.map(([call]) => call)).not.toContain('createPayment');
  });

  test('that Pi finds late has stopped this one, which can be tried again', async () => {
    await open();
    await start();
    await page.evaluate(`window.piCallbacks.onError(new Error('Another payment is open'))`);
    await pi.call('onIncomplete', earlier);
    await words('An earlier payment of yours is still being finished. Try again in a minute');
    await expect.poll(() => payButton().getAttribute('aria-disabled')).toBe('false');
    expect(callsReported()).toEqual(['incomplete']);
  });

  test('is not paid again when it is this one and was already sent', async () => {
    await open();
    const { reference } = demo;
    pi.authenticate = async () => ({ ...earlier, metadata: { reference }, transaction: { txid } });
    await payButton().click();
    await sent();
    await expect.poll(() => pi.reported).toEqual([['incomplete', expect.objectContaining({ txid })]]);
    expect(pi.asked.map(([call]) => call)).not.toContain('createPayment');
  });
});

describe('after 15 seconds without an answer', () => {
  const silent = 'Pi has not answered for 15 seconds. Nothing was sent. Try again, or pay by transfer below.';

  test("from the server of Pi's script, the page says so, and the next try may work", async () => {
    await open();
    pi.script = 'never';
    await payButton().click();
    await words('Opening Pi.');
    await expect.poll(() => pi.loads).toBe(1);
    await fifteenSeconds();
    await words('Pi cannot be reached. Nothing was sent. Try again, or pay by transfer below.');
    pi.script = 'served';
    await start();
  });

  test('from the sign-in to Pi, the page says so, and the next try may work', async () => {
    await open();
    pi.authenticate = () => new Promise(() => {});
    await payButton().click();
    await asked('authenticate');
    await fifteenSeconds();
    await words(silent);
    pi.authenticate = async () => null;
    await start();
  });

  test('to the new payment, the page says so, and a later answer still counts', async () => {
    await open();
    await start();
    await fifteenSeconds();
    await words(silent);
    await pi.call('onReadyForServerApproval', 'pay-1');
    await words('Confirm 314.1592653 PI in your Pi wallet.');
  });

  test('from the gateway, the page says so, and continues when the SDK asks again', async () => {
    await open();
    pi.answer = () => null;
    await start();
    await pi.call('onReadyForServerApproval', 'pay-1');
    await expect.poll(callsReported).toEqual(['approve']);
    await fifteenSeconds();
    await words('Not approved after 15 seconds. Nothing was sent');
    pi.answer = () => ({ status: 'approved' });
    await pi.call('onReadyForServerApproval', 'pay-1');
    await words('Confirm 314.1592653 PI in your Pi wallet.');
  });
});

describe("Pi's script", () => {
  test('is loaded when the button is pressed, and at once in the Pi Browser', async () => {
    await open();
    await page.waitForLoadState('networkidle');
    expect(pi.loads).toBe(0);
    await page.context().close();
    await open(PAYMENTS['linked-pi'], piBrowser);
    await expect.poll(() => pi.loads).toBe(1);
    await start();
    expect(pi.loads).toBe(1);
  });

  test('that cannot be loaded: the page says so when the button is pressed', async () => {
    await open(PAYMENTS['linked-pi'], piBrowser);
    await expect.poll(() => pi.loads).toBe(1);
    pi.script = 'broken';
    await page.reload();
    await expect.poll(() => pi.loads).toBe(2);
    expect(await page.locator('#pi-status').textContent()).toBe('');
    await payButton().click();
    await words('Pi cannot be reached.');
  });
});
