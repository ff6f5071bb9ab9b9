import { expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp();
await seedUser(app.db, 'ada', 'correct horse battery staple');

async function createPayment(): Promise<string> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
}

/** The address of the page for frames. */
function framed(pageUrl: string, query: Record<string, string> = {}): string {
  const url = new URL(pageUrl);
  url.pathname += '/frame';
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

const shop = 'http://localhost:4100';
const ancestorsIn = ({ headers }: Response) =>
  /frame-ancestors ([^;]+)$/.exec(headers.get('content-security-policy') ?? '')?.[1];

test('only the page for frames may be framed, by the origins of its shop', async () => {
  const page = await createPayment();
  const into = { 'sec-fetch-dest': 'iframe' };
  const frame = await fetch(framed(page), { headers: into });
  expect(frame.status).toBe(200);
  expect(ancestorsIn(frame)).toBe('http://localhost:* http://127.0.0.1:*');
  expect(frame.headers.get('x-frame-options')).toBeNull();
  expect(frame.headers.getSetCookie()).toEqual([]);

  const closed = [
    page,
    framed(page).replace(/token=[^&]+/, 'token=no'),
    page.replace('/pay?', '/pay/state?'),
  ];
  for (const address of closed) {
    const answer = await fetch(address, { headers: into });
    expect([ancestorsIn(answer), answer.headers.get('x-frame-options')]).toEqual(["'none'", 'DENY']);
  }
});

test('a domain counts once it was proved, and no longer than it is the integration’s', async () => {
  const page = await createPayment();
  const claim = (at: string) =>
    app.db.query(
      `UPDATE integrations SET domain = 'shop.example', domain_token = 'x', domain_verified_at = ${at}`,
    );
  await claim('NULL');
  expect(ancestorsIn(await fetch(framed(page)))).not.toContain('shop.example');
  await claim('now()');
  expect(ancestorsIn(await fetch(framed(page)))).toContain('https://shop.example https://*.shop.example');
  await app.db.query('UPDATE integrations SET domain = NULL, domain_token = NULL, domain_verified_at = NULL');
  expect(ancestorsIn(await fetch(framed(page)))).not.toContain('shop.example');
});

test('messages go to an origin that may frame the page, and to no other', async () => {
  const page = await createPayment();
  const shown = async (parent: string) => await (await fetch(framed(page, { parent }))).text();
  expect(await shown(shop)).toContain(`data-parent="${shop}"`);
  for (const parent of ['*', 'null', 'https://evil.example', `${shop}/`, 'javascript:1'])
    expect(await shown(parent)).not.toContain('data-parent');
});

test('its forms lead back into the frame, with what the shop gave it; others are not there', async () => {
  const page = await createPayment();
  const frame = framed(page, { parent: shop, close: '1', lang: 'de' });
  const chosen = await submitForm(frame, 'method', { asset: 'usdc-base' });
  expect(chosen.status).toBe(303);
  const back = new URL(chosen.headers.get('location') ?? '', page);
  expect(back.pathname).toBe('/pay/frame');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ parent: shop, close: '1', lang: 'de' });
  expect(await (await fetch(back)).text()).toContain('data-screen="linked"');

  for (const form of ['wallet', 'cancel', 'claim', 'dispute', 'message', 'refund', 'receipt', 'enough'])
    expect((await submitForm(frame, form, {})).status).toBe(404);
  const foreign = await submitForm(frame, 'method', { asset: 'usdc-base' }, { origin: shop });
  expect(foreign.status).toBe(403);
});

test('the wallet is neither offered nor taken', async () => {
  const page = await createPayment();
  expect(await (await fetch(page)).text()).toContain('value="wallet"');
  expect(await (await fetch(framed(page))).text()).not.toContain('value="wallet"');
  const answer = await submitForm(framed(page), 'method', { asset: 'wallet' });
  expect(answer.headers.get('location')).toContain('notice=not_possible');
});

test.each(['/florin.js', '/modal/btcpay.js'])('%s is asked for each time and sent once', async (path) => {
  const first = await fetch(app.baseUrl + path);
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const again = await fetch(app.baseUrl + path, {
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
