import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../browser/browser.ts';
import { openFirstDay, type Place } from '../browser/dashboard-fixture.ts';
import { judge, load, openTab, settle, twoLooks } from '../browser/dashboard-look.ts';

// A shop sends its merchant for a key, and receives it by a form.

let place: Place;
let page: Page;
let faults: string[];

beforeAll(async () => {
  place = await openFirstDay();
  ({ page, faults } = await openTab(await openBrowser(), place, 'owner'));
});

/** A shop's address that a key is posted to. */
async function openReturn(): Promise<{ url: string; posted: URLSearchParams[] }> {
  const posted: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      if (request.method === 'POST') posted.push(new URLSearchParams(text));
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>Shop</h1>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return { url: `http://127.0.0.1:${address.port}/return?nonce=7`, posted };
}

const asked = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.cancreatenonapprovedpullpayments',
  'btcpay.store.canuselightningnode',
];

const askAt = (redirect: string) => {
  const query = new URLSearchParams({ applicationName: 'Pens and Paper', redirect });
  for (const name of asked) query.append('permissions', name);
  return `/api-keys/authorize?${query}`;
};

test('a person sees who asks for what, gives a part of it, and the shop receives the key', async () => {
  const shop = await openReturn();
  await load(page, askAt(shop.url));
  const text = (await page.textContent('main')) ?? '';
  expect(text).toContain('Pens and Paper');
  expect(text).toContain(new URL(shop.url).host);
  expect(text).toContain('btcpay.store.canuselightningnode');
  for (const look of twoLooks) {
    expect(await judge(page, look, `dashboard/connect-${look.name}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await page.getByRole('checkbox', { name: /Make refunds/ }).isChecked()).toBe(false);
  await page.getByRole('checkbox', { name: /Read payments/ }).uncheck();
  await page.getByRole('button', { name: /Connect and go back/ }).click();
  await expect.poll(() => shop.posted.length, { timeout: 15_000 }).toBe(1);
  await expect.poll(() => page.url()).toBe(shop.url);

  const store = `${place.app.integrationId}-test`;
  const [form] = shop.posted;
  expect(form?.get('storeId')).toBe(store);
  expect(form?.getAll('permissions[]')).toEqual([
    `btcpay.store.cancreateinvoice:${store}`,
    `btcpay.store.canviewstoresettings:${store}`,
  ]);
  const headers = { authorization: `token ${form?.get('apiKey')}` };
  const stores = await fetch(`${place.app.baseUrl}/api/v1/stores`, { headers });
  expect(await stores.json()).toMatchObject([{ id: store }]);
  expect(faults.splice(0)).toEqual([]);
});

test('what the shop is sent is sent once', async () => {
  await page.goto(`${place.app.baseUrl}/app/connect/send?to=https://shop.example`);
  await expect.poll(() => page.textContent('main')).toContain('There is nothing to send');
  expect(faults.splice(0)).toEqual([]);
});

test.each(['http://shop.example/return', 'javascript:alert(1)', 'https://me:pass@shop.example/'])(
  'no key goes to %s',
  async (redirect) => {
    await page.goto(place.app.baseUrl + askAt(redirect));
    await settle(page);
    expect(await page.textContent('main')).toContain('asks for nothing that can be given');
    expect(await page.getByRole('button', { name: /Connect and go back/ }).count()).toBe(0);
    expect(faults.splice(0)).toEqual([]);
  },
);
