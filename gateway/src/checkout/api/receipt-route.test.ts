import { expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp({ seed: { name: 'Nib & Folio' } });

async function createPayment(): Promise<string> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    body: { amount: 25.5, currency: 'USDC', payment_type: 'deposit' },
  });
  return body.data.PaymentURL;
}

const receiptOf = (page: string) => page.replace('?', '/receipt?');
const headingOf = async (address: string, init: RequestInit = {}) => {
  const answer = await fetch(address, init);
  return [answer.status, /<h1[^>]*>([^<]*)</.exec(await answer.text())?.[1]];
};

test('the receipt is there once the payment is completed, and leads to the page until then', async () => {
  const page = await createPayment();
  const before = await fetch(receiptOf(page), { redirect: 'manual' });
  expect([before.status, before.headers.get('location')]).toEqual([303, page.slice(app.baseUrl.length)]);
  await submitForm(page, 'simulate', { outcome: 'success' });
  expect(await headingOf(receiptOf(page))).toEqual([200, 'Receipt']);
  const german = { headers: { 'accept-language': 'de' } };
  expect(await headingOf(receiptOf(page), german)).toEqual([200, 'Beleg']);
  expect(await headingOf(`${receiptOf(page)}&lang=fr`, german)).toEqual([200, 'Reçu']);
});

test('in a dispute the page says how it stands, and there is no receipt', async () => {
  const page = await createPayment();
  await submitForm(page, 'simulate', { outcome: 'dispute' });
  expect((await fetch(receiptOf(page), { redirect: 'manual' })).status).toBe(303);
});

test('whoever does not have the token of the payment finds no receipt', async () => {
  const page = await createPayment();
  await submitForm(page, 'simulate', { outcome: 'success' });
  const other = new URL(receiptOf(page));
  other.searchParams.set('token', 'x');
  expect(await headingOf(other.href)).toEqual([404, 'This payment page does not exist']);
});

test('no site may show the receipt in a frame, and it loads nothing of others', async () => {
  const page = await createPayment();
  await submitForm(page, 'simulate', { outcome: 'success' });
  const { headers } = await fetch(receiptOf(page), { headers: { 'sec-fetch-dest': 'iframe' } });
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("script-src 'self';");
});
