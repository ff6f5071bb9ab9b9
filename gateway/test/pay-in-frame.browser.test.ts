import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { findViolations } from './browser/axe.ts';
import { openBrowser } from './browser/browser.ts';
import { takePicture } from './browser/pictures.ts';
import { atFileEnd } from './suite/endings.ts';
import type { CreatedPayment } from './support/api.ts';
import { startApp } from './support/running.ts';

// Pages of shops in a real browser, which show the page of a payment of a real gateway in a frame.

const [app, browser] = await Promise.all([startApp(), openBrowser()]);
const shop = await startShop('127.0.0.1', 'localhost');
let page: Page;

afterEach(() => page.context().close());

/** A shop at an origin of its own: what stands in the query is its page. It has a policy, as shops should. */
async function startShop(address: string, name = address): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://shop');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${app.baseUrl} 'unsafe-inline'; frame-src ${app.baseUrl}`,
    );
    response.end(pageOf(searchParams.get('body') ?? '', searchParams.get('script') ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${name}:${(server.address() as AddressInfo).port}/`;
}

const pageOf = (body: string, script: string) => `<!doctype html><html lang="en"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><body style="background: #cfe">
<main><h1>A shop</h1><button id="pay">Pay</button>${body}</main>
<script src="${app.baseUrl}/florin.js"></script><script src="${app.baseUrl}/modal/btcpay.js"></script>
<script>const heard = []; const note = (...words) => heard.push(words.join(' ')); ${script}</script>`;

async function createPayment(): Promise<CreatedPayment> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data;
}

type Look = { width: number; height: number; isScripted?: boolean };

async function openShop(body: string, script = '', { width, height, isScripted = true }: Look = desk) {
  const context = await browser.newContext({
    ...{ viewport: { width, height }, javaScriptEnabled: isScripted, reducedMotion: 'reduce', locale: 'en' },
  });
  page = await context.newPage();
  await page.goto(`${shop}?${new URLSearchParams({ body, script })}`);
}

const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const opens = (url: string) => `document.getElementById('pay').onclick = () => florin.open('${url}', {
  onStatus: (status) => note('status', status), onClose: () => note('closed') });`;
const heard = () => page.evaluate<string[]>('heard');
const inFrame = () => page.frameLocator('iframe');
const overflow = () => page.evaluate<string>('document.documentElement.style.overflow');

test.each([
  ['desk', desk],
  ['phone', phone],
])(
  'a customer pays in the pop-up of a shop, which hears each status and is left as it was: %s',
  async (name, look) => {
    const { PaymentURL: url } = await createPayment();
    await openShop('', opens(url), look);
    await page.click('#pay');
    await inFrame().getByRole('heading', { name: 'Choose how to pay' }).waitFor();
    await expect.poll(heard).toEqual(['status unlinked']);
    expect(await overflow()).toBe('hidden');
    await takePicture(page, `frame/${name}-choose`);
    const box = await page.locator('iframe').boundingBox();
    expect(box).toMatchObject(look === phone ? { x: 0, y: 0, ...phone } : { width: 640, height: 760 });

    await inFrame().getByText('Base').click();
    await inFrame().getByRole('button', { name: 'Continue' }).click();
    await inFrame().getByRole('heading', { name: 'Send USDC on Base' }).waitFor();
    await takePicture(page, `frame/${name}-linked`);
    const framed = page.frames()[1] as Frame;
    expect(await findViolations(framed as unknown as Page)).toEqual([]);
    expect(await framed.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);

    await inFrame().getByRole('button', { name: 'Success', exact: true }).click();
    await inFrame().getByRole('heading', { name: 'Paid' }).first().waitFor();
    await takePicture(page, `frame/${name}-paid`);
    await expect.poll(heard).toContain('status completed');

    await inFrame().getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect((await heard()).at(-1)).toBe('closed');
    expect(await overflow()).toBe('');
    expect(await page.locator('#pay:focus').count()).toBe(1);
    expect(page.url()).toContain(shop);
  },
);

test('Escape closes the pop-up, before its page is there and after; it opens once, and the payment goes on', async () => {
  const { PaymentURL: url } = await createPayment();
  await openShop('', opens(url));
  await page.route('**/pay/frame?*', () => {});
  await page.click('#pay');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.unroute('**/pay/frame?*');

  await page.evaluate(`document.getElementById('pay').click(); document.getElementById('pay').click()`);
  await inFrame().getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(1);
  await inFrame().locator('[data-scripted]').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await heard()).toEqual(['closed', 'closed', 'status unlinked', 'closed']);
});

test('a link opens it, and leads to the page without scripts; inside the frame choosing needs none either', async () => {
  const { PaymentURL: url } = await createPayment();
  const link = `<a href="${url.replaceAll('&', '&amp;')}" data-florin>Pay here</a>`;
  await openShop(`${link}<a href="http://127.0.0.2/pay" data-florin id="foreign">Not here</a>`);
  const isLeft = `document.getElementById('foreign').dispatchEvent(new Event('click', { bubbles: true, cancelable: true }))`;
  expect(await page.evaluate(isLeft)).toBe(true);
  expect(await page.locator('dialog').count()).toBe(0);
  await page.click('text=Pay here');
  await inFrame().getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  await page.context().close();

  await openShop(link, '', { ...desk, isScripted: false });
  await page.click('text=Pay here');
  await page.getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  expect(page.url()).toBe(url);
  await page.context().close();

  const src = url.replace('/pay?', '/pay/frame?').replaceAll('&', '&amp;');
  await openShop(
    `<iframe sandbox="allow-forms allow-same-origin" width="700" height="900" src="${src}"></iframe>`,
  );
  await inFrame().getByText('Base').click();
  await inFrame().getByRole('button', { name: 'Continue' }).click();
  await inFrame().getByRole('heading', { name: 'Send USDC on Base' }).waitFor();
  expect(new URL(page.frames()[1]!.url()).pathname).toBe('/pay/frame');
});

test('in an element it is as high as its content, and tells what happens elsewhere', async () => {
  const { PaymentURL: url, PaymentData } = await createPayment();
  const mounts = `florin.mount(document.getElementById('here'), '${url}', { onStatus: (status) => note(status) });`;
  await openShop('<div id="here"></div>', mounts);
  await inFrame().getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  const framed = page.frames()[1]!;
  const ownHeight = () => page.evaluate<number>(`document.querySelector('iframe').clientHeight`);
  const contentHeight = () => framed.evaluate<number>('document.body.scrollHeight');
  const isWhole = async () => (await ownHeight()) === (await contentHeight());
  await expect.poll(isWhole).toBe(true);
  const before = await ownHeight();
  await inFrame().locator('#details-summary').click();
  await expect.poll(ownHeight).toBeGreaterThan(before);
  expect(await isWhole()).toBe(true);

  // Somebody pays the same payment elsewhere, such as in another tab.
  const outcome = { body: { outcome: 'success' } };
  await app.api('POST', `/test/payments/${PaymentData.payment_reference}/simulate`, outcome);
  await expect.poll(heard).toContain('completed');
  expect(await inFrame().locator('#close').count()).toBe(0);
});

test('pages of a plug-in for BTCPay Server find its calls, and their invoices in the pop-up', async () => {
  const { PaymentURL: url } = await createPayment();
  // The address of an invoice is answered by the page of this payment.
  const script = `document.getElementById('pay').onclick = () => btcpay.showInvoice('abc');
    btcpay.onModalWillEnter(() => note('enter')); btcpay.onModalWillLeave(() => note('leave'));
    btcpay.onModalReceiveMessage(({ data }) => note(data.status ?? (data.height ? 'height' : data)));`;
  await openShop('', script);
  await page.route('**/i/abc/frame?*', async (route) => {
    const { searchParams } = new URL(route.request().url());
    const answer = await route.fetch({ url: `${url.replace('/pay?', '/pay/frame?')}&${searchParams}` });
    await route.fulfill({ response: answer });
  });
  await page.click('#pay');
  await inFrame().getByRole('heading', { name: 'Choose how to pay' }).waitFor();
  await expect
    .poll(async () => new Set(await heard()))
    .toEqual(new Set(['enter', 'loaded', 'unlinked', 'height']));
  await page.evaluate('btcpay.hideFrame()');
  expect((await heard()).at(-1)).toBe('leave');
  expect(await page.locator('dialog').count()).toBe(0);
});

test('a page of an origin that is not listed cannot show it, and its customer comes to the page', async () => {
  const { PaymentURL: url } = await createPayment();
  // Of this machine too, but not by one of the names that a test payment lists.
  const stranger = await startShop('127.0.0.2');
  const context = await browser.newContext({ viewport: desk });
  page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('frame-ancestors')) refused.push(message.text());
  });
  await page.goto(`${stranger}?${new URLSearchParams({ script: opens(url) })}`);
  await page.click('#pay');
  await page.waitForURL(url);
  expect(refused).toHaveLength(1);
});
