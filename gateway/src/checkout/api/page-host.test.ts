import { request } from 'undici';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { seedIntegration, seedUser, testSeal } from '../../../test/support/fixtures.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { startApp } from '../../../test/support/running.ts';

// The hosted page at a domain of a merchant's own. `fetch` sends no Host header of a caller's choice.

const domain = 'pay.shop.example';
const app = await startApp();
const { port } = new URL(app.baseUrl);
const origin = `http://${domain}:${port}`;

await seedUser(app.db, 'ada', 'correct horse battery staple');
const other = await seedIntegration(app.db, testSeal, { name: 'Other shop' });

async function pageOf(secretKey: string): Promise<URL> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  const { body: made } = await app.api<CreatedPayment>('PUT', '/payment/create', { key: secretKey, body });
  return new URL(made.data.PaymentURL);
}

const [own, foreign] = [await pageOf(app.secretKey), await pageOf(other.secretKey)];
const logo = '0123456789abcdef0123456789abcdef';
for (const id of [app.integrationId, other.integrationId])
  await app.db.query(
    "INSERT INTO integration_logos (integration_id, hash, content_type, bytes) VALUES ($1, $2, 'image/png', '\\x89')",
    [id, logo],
  );
await app.db.query(
  `UPDATE integrations SET page_domain = $2, page_domain_token = 'x', page_domain_verified_at = now() WHERE id = $1`,
  [app.integrationId, domain],
);
// A loop reads the domains within seconds.
beforeAll(() => vi.waitFor(async () => expect((await at('/health')).status).toBe(404), { timeout: 60_000 }));

type Sent = { host?: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string };

/** Asks this machine as a proxy does, under the name by which the customer came. */
async function at(
  path: string,
  { host = `${domain}:${port}`, method = 'GET', headers = {}, body }: Sent = {},
) {
  const sent = { method, headers: { host, ...headers }, ...(body === undefined ? {} : { body }) };
  const answer = await request(app.baseUrl + path, sent);
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

const pathOf = (page: URL): string => page.pathname + page.search;

function post(page: URL, form: string, fields: Record<string, string>, from: string = origin) {
  const { reference = '', app: id = '', token = '' } = Object.fromEntries(page.searchParams);
  return at(`/pay/${form}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: from },
    body: `${new URLSearchParams({ reference, app: id, token, ...fields })}`,
  });
}

describe('at the domain', () => {
  test('is the page of its integration, with its files, state and logo', async () => {
    const page = await at(pathOf(own));
    expect(page.status).toBe(200);
    const files = [...page.text.matchAll(/(?:src|href)="(\/pay\/[^"]+\.(?:js|css))"/g)].map(
      ([, file]) => `${file}`,
    );
    expect(files.length).toBeGreaterThan(1);
    const state = pathOf(own).replace('/pay?', '/pay/state?');
    const frame = pathOf(own).replace('/pay?', '/pay/frame?');
    for (const path of [...files, state, frame, `/logo/${app.integrationId}/${logo}`])
      expect([path, (await at(path)).status]).toEqual([path, 200]);
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  test('its name may be written as names may be', async () => {
    for (const host of [domain, 'PAY.shop.example', `${domain}.`, `${domain}:443`])
      expect([host, (await at(pathOf(own), { host })).status]).toEqual([host, 200]);
  });

  test('no page, link or logo of another integration is there', async () => {
    const { body } = await app.api<{ url: string }>('POST', '/payment-links', {
      key: other.secretKey,
      body: { title: 'Two coffees', amount: 5, currency: 'PI' },
    });
    const state = pathOf(foreign).replace('/pay?', '/pay/state?');
    const link = new URL(body.data.url).pathname;
    for (const path of [pathOf(foreign), state, link, `/logo/${other.integrationId}/${logo}`]) {
      expect([path, (await at(path)).status]).toEqual([path, 404]);
      expect([path, (await fetch(app.baseUrl + path)).status]).toEqual([path, 200]);
    }
    expect((await post(foreign, 'cancel', {})).status).toBe(404);
  });

  test('nothing else of the gateway is there', async () => {
    const routes = app.routes.filter(({ url }) => !/^\/(?:pay|l|logo)\b/.test(url));
    expect(routes.length).toBeGreaterThan(200);
    const shops = ['/florin.js', '/modal/btcpay.js'];
    const answered: string[] = [];
    for (const { method, url } of routes) {
      const answer = await request(app.baseUrl + url.replace(/:\w+/g, 'x').replace('*', 'x'), {
        method: method as 'GET',
        headers: { host: domain, authorization: `Bearer ${app.secretKey}` },
      });
      const text = await answer.body.text();
      const isGone =
        answer.statusCode === 404 && (method === 'HEAD' || text === 'There is nothing at this address.\n');
      if (!isGone && !shops.includes(url)) answered.push(`${method} ${url}`);
    }
    expect(answered).toEqual([]);
    expect((await at('/nothing')).status).toBe(404);
  });

  test('forms are taken from its own pages alone', async () => {
    const taken = await post(own, 'method', { asset: 'usdc-base' });
    expect([taken.status, taken.headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/pay\?reference=/),
    ]);
    for (const from of [
      app.baseUrl,
      `https://${domain}`,
      'https://shop.example',
      `http://${domain}.evil.example`,
    ])
      expect([from, (await post(own, 'method', { asset: 'usdc-base' }, from)).status]).toEqual([from, 403]);
  });

  test('nobody types the password of a wallet: a link leads to the page at the installation’s address', async () => {
    const page = await pageOf(app.secretKey);
    expect(page.origin).toBe(origin);
    await post(page, 'method', { asset: 'wallet' });
    const { text } = await at(pathOf(page));
    expect(text).not.toContain('type="password"');
    const [, elsewhere = ''] = /id="elsewhere" href="([^"]+)"/.exec(text) ?? [];
    const there = await fetch(elsewhere.replaceAll('&amp;', '&'));
    expect(elsewhere.startsWith(`${app.baseUrl}/pay?reference=`)).toBe(true);
    expect(await there.text()).toContain('type="password"');
    const form = { username: 'ada', password: 'correct horse battery staple' };
    expect((await post(page, 'wallet', form)).status).toBe(403);
  });

  test('a payment link makes its payment there, and its form leads to no other site at the installation’s address', async () => {
    const { body } = await app.api<{ url: string }>('POST', '/payment-links', {
      body: { title: 'Two coffees', amount: 5, currency: 'PI' },
    });
    const { pathname, hostname } = new URL(body.data.url);
    expect(hostname).toBe(domain);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [host, from] of [
      [`${domain}:${port}`, origin],
      [new URL(app.baseUrl).host, app.baseUrl],
    ] as const) {
      const made = await at(pathname, {
        host,
        method: 'POST',
        headers: { ...headers, origin: from },
        body: '',
      });
      expect([made.status, made.headers.location]).toEqual([
        303,
        expect.stringMatching(/^\/pay\?reference=PAY_/),
      ]);
    }
  });
});

test('at the installation’s address the page of that integration goes on', async () => {
  const page = await fetch(app.baseUrl + pathOf(own));
  expect(page.status).toBe(200);
  const forms = await post(own, 'method', { asset: 'usdc-base' }, origin);
  expect(forms.status).toBe(303);
  // A form of the domain's pages is that of another site here.
  const { reference = '', app: id = '', token = '' } = Object.fromEntries(own.searchParams);
  const crossed = await at('/pay/method', {
    host: new URL(app.baseUrl).host,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: `${new URLSearchParams({ reference, app: id, token, asset: 'usdc-base' })}`,
  });
  expect(crossed.status).toBe(403);
});

test('names below the merchant’s domain may be without https', async () => {
  const [own] = await freePorts(1);
  const behind = await startApp({ env: { PORT: `${own}`, BASE_URL: 'https://pay.example' } });
  await behind.db.query(
    `UPDATE integrations SET page_domain = $1, page_domain_token = 'x', page_domain_verified_at = now()`,
    [domain],
  );
  const strict = async () => {
    const { headers, body } = await request(`http://127.0.0.1:${own}/pay`, { headers: { host: domain } });
    await body.dump();
    return headers['strict-transport-security'];
  };
  await expect.poll(strict, { timeout: 60_000 }).toBe('max-age=31536000');
});
