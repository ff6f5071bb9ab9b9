import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import type { CreatedPayment } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';

/** Pictures of every step, for people to look at; git does not keep them. */

let gateway: RunningGateway;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway(), openBrowser()]);
});
beforeEach(async () => {
  page = await openTab();
});
afterEach(() => page.context().close());

async function openTab(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 480, height: 960 }, ...options });
  // Sooner than the test ends, so that a failure names what did not appear.
  return await context.newPage();
}

const picture = (name: string) => takePicture(page, `e2e/${name}`);
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const click = (role: 'link' | 'button' | 'radio', name: string | RegExp) =>
  page.getByRole(role, { name }).click();

/** Puts a product of the demo shop into an order, and arrives at the page that takes the money. */
async function buy(product: string): Promise<void> {
  await page.goto(gateway.demo.shop_url);
  await click('link', product);
  await click('button', 'Buy');
  await heading('Choose how to pay').waitFor();
}

/** Goes back to the shop by the link of the page, or was led back already, and waits for the shop's sentence. */
async function returnToShop(sentence: string): Promise<void> {
  const link = page.getByRole('link', { name: /^Return to .*127\.0\.0\.1/ });
  await link.or(heading(sentence)).click();
  await heading(sentence).waitFor();
  expect(page.url()).toContain(`${gateway.demo.shop_url}/orders/`);
}

/** The page of a payment that its customer sees paid for the first time: its coin is struck. */
async function seePaid(): Promise<void> {
  await heading('Paid. Thank you.').waitFor();
  await page.locator('[data-fresh] .florin').waitFor();
}

/** The reference of the payment whose page is open. */
const referenceOfPage = () => new URL(page.url()).searchParams.get('reference')!;

async function createPayment(fields: Record<string, unknown> = {}): Promise<CreatedPayment> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit', ...fields };
  return (await gateway.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data;
}

async function statusOf(reference: string): Promise<string> {
  const { body } = await gateway.api<{ payment_status: string }>('GET', `/payment/info/${reference}`);
  return body.data.payment_status;
}

type StoredEvent = { event_id: string; event_type: string; payment_reference: string };

async function eventsOf(reference: string): Promise<StoredEvent[]> {
  const { body } = await gateway.api<{ items: StoredEvent[] }>('GET', '/events?limit=100');
  return body.data.items.filter((event) => event.payment_reference === reference);
}

describe('a customer buys in the demo shop', () => {
  test('and pays in a pop-up above the order, which turns paid by the webhook', async () => {
    await page.goto(gateway.demo.shop_url);
    await click('link', 'Ledger notebook');
    await click('button', 'Pay in a pop-up');
    const popUp = page.frameLocator('iframe');
    await popUp.getByRole('heading', { name: 'Choose how to pay' }).waitFor();
    await picture('pop-up-1-choose');
    await popUp.getByRole('button', { name: 'Success', exact: true }).click();
    await heading('Paid, thank you').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    await picture('pop-up-2-paid');
  });

  test('and pays: the order is paid, and the customer is back at the shop', async () => {
    await page.goto(gateway.demo.shop_url);
    await picture('success-1-shop');
    await click('link', 'Ledger notebook');
    await picture('success-2-product');
    await click('button', 'Buy');
    await heading('Choose how to pay').waitFor();
    await picture('success-3-choose');
    await page.getByText('Base').click();
    await click('button', 'Continue');
    await heading('Send USDC on Base').waitFor();
    await page.getByText('18.00 USDC').first().waitFor();
    await picture('success-4-send');
    await click('button', 'Success');
    await seePaid();
    await page.getByText(/^Taking you to 127\.0\.0\.1:\d+ in \d+ s$/).waitFor();
    await picture('success-5-paid');
    await returnToShop('Paid, thank you');
    await picture('success-6-order');
    expect(new URL(page.url()).searchParams.get('returned')).toBe('success');
  });

  test('and the payment fails: the order is not paid, and may be paid again', async () => {
    await buy('Seal and wax');
    await click('button', 'Failure');
    await heading('The payment failed').waitFor();
    await picture('failure-1-failed');
    await returnToShop('Payment failed');
    await picture('failure-2-order');
    expect(new URL(page.url()).searchParams.get('returned')).toBe('failure');
    await click('button', 'Try again');
    await heading('Choose how to pay').waitFor();
  });

  test('and leaves: after ten minutes the payment is abandoned, and the order still open', async () => {
    await buy('Cedar pencils');
    const reference = referenceOfPage();
    await gateway.api('POST', '/test/clock/advance', { body: { seconds: 601 } });
    await heading('Time is up. Do not send anything now.').waitFor();
    await picture('expiry-1-page');
    expect((await eventsOf(reference)).map(({ event_type }) => event_type)).toEqual(['payment_abandoned']);
    await returnToShop('Still open');
    await picture('expiry-2-order');
    await page.getByText('The payment page was left before anything was paid.').waitFor();
  });

  test('and pays from a wallet, once the password is right', async () => {
    const [user] = gateway.demo.users;
    await buy('Letterpress postcard');
    await page.getByText('Florin wallet').click();
    await click('button', 'Continue');
    await heading('Pay from your Florin wallet').waitFor();
    await page.getByLabel('Username').fill(user!.username);
    await page.getByLabel('Password').fill('not this one');
    await click('button', 'Pay 1.50 USDC');
    await page.getByText('Username or password is wrong. Nothing was charged.').waitFor();
    await picture('wallet-1-wrong-password');
    await page.getByLabel('Username').fill(user!.username);
    await page.getByLabel('Password').fill(user!.password);
    await click('button', 'Pay 1.50 USDC');
    await seePaid();
    await picture('wallet-2-paid');
    await returnToShop('Paid, thank you');
  });

  test('and the webhook comes again: nothing changes in the shop', async () => {
    await buy('Rocker blotter');
    const reference = referenceOfPage();
    await click('button', 'Success');
    await heading('Paid. Thank you.').waitFor();
    await returnToShop('Paid, thank you');
    const order = await page.locator('main').textContent();

    const [event] = await eventsOf(reference);
    await gateway.api('POST', `/events/${event!.event_id}/resend`);
    const path = `/webhook-endpoints/${gateway.demo.webhook_endpoint_id}/deliveries?limit=100`;
    const deliveries = async () => {
      const { body } = await gateway.api<{ items: { event_id: string; status: string }[] }>('GET', path);
      return body.data.items
        .filter(({ event_id }) => event_id === event!.event_id)
        .map(({ status }) => status);
    };
    await expect.poll(deliveries).toEqual(['delivered', 'delivered']);
    await page.reload();
    expect(await page.locator('main').textContent()).toBe(order);
  });

  test('without JavaScript, by plain forms and links', async () => {
    await page.context().close();
    page = await openTab({ javaScriptEnabled: false });
    await buy('Brass fountain pen');
    await page.getByText('Ethereum').click();
    await click('button', 'Continue');
    await heading('Send USDC on Ethereum').waitFor();
    await page.getByText('42.00 USDC').first().waitFor();
    await picture('plain-1-send');
    await click('button', 'Success');
    await heading('Paid. Thank you.').waitFor();
    await picture('plain-2-paid');
    await click('link', /^Return to/);
    // The webhook may still be on its way.
    await expect
      .poll(async () => (await page.reload()) && page.locator('h1').textContent())
      .toBe('Paid, thank you');
    await picture('plain-3-order');
  });
});

describe('the hosted page', () => {
  test('shows a payment as soon as it is told of it, and asks for nothing by the clock', async () => {
    const { PaymentData, PaymentURL } = await createPayment();
    const listening = page.waitForResponse(/\/events/);
    await page.goto(PaymentURL);
    await listening;
    const polls: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/state')) polls.push(request.url());
    });
    const path = `/test/payments/${PaymentData.payment_reference}/simulate`;
    await gateway.api('POST', path, { body: { outcome: 'success' } });
    const committed = performance.now();
    await seePaid();
    const seenMs = Math.round(performance.now() - committed);
    console.log(`The page showed the payment ${seenMs} ms after the call that committed it returned.`);
    expect(polls).toEqual([]);
  });

  test('says that a balance is too low, and charges nothing', async () => {
    const [, user] = gateway.demo.users;
    const { PaymentData, PaymentURL } = await createPayment({ amount: 50_000 });
    await page.goto(PaymentURL);
    await page.getByText('Florin wallet').click();
    await click('button', 'Continue');
    await page.getByLabel('Username').fill(user!.username);
    await page.getByLabel('Password').fill(user!.password);
    await click('button', /^Pay 50,000/);
    await page.getByText('Your balance is too low. Nothing was charged.').waitFor();
    await picture('wallet-3-too-low');
    expect(await statusOf(PaymentData.payment_reference)).toBe('linked');
  });

  test('does not open with the app or the token of another payment', async () => {
    const [ours, other] = await Promise.all([createPayment(), createPayment()]);
    const wrong = { token: new URL(other.PaymentURL).searchParams.get('token')!, app: other.PaymentData.id };
    for (const [name, value] of Object.entries(wrong)) {
      const url = new URL(ours.PaymentURL);
      url.searchParams.set(name, value);
      const response = await page.goto(url.href);
      expect(response?.status()).toBe(404);
      await heading('This payment page does not exist').waitFor();
    }
    await picture('not-found');
  });

  test('refuses a form that another site sends', async () => {
    const { PaymentData, PaymentURL } = await createPayment();
    const { origin, pathname, searchParams } = new URL(PaymentURL);
    const inputs = [...searchParams].map(([name, value]) => `<input name="${name}" value="${value}">`);
    const form = `<form method="post" action="${origin}${pathname}/cancel">${inputs.join('')}<button>Win</button></form>`;
    await page.route('http://evil.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: form }),
    );
    await page.goto('http://evil.example/');
    const answered = page.waitForResponse(/\/pay\/cancel$/);
    await click('button', 'Win');
    expect((await answered).status()).toBe(403);
    expect(await statusOf(PaymentData.payment_reference)).toBe('unlinked');
  });
});

test('nothing of all this was a fault of the gateway or of the shop', () => {
  expect(gateway.log()).toBe('');
});
