import { expect, test } from 'vitest';
import { eventOf, liveSecrets, signWebhook } from '../test/gateway.ts';
import { openShop } from '../test/open-shop.ts';

const live = { ...liveSecrets, note: 'On a chain of its own.', currencies: ['USDC', 'USDT'] };
const form = { product: 'ledger-notebook', mode: 'live' };

test('without a live key there is no choice, and none is taken', async () => {
  const { pageOf, post, url } = await openShop();
  expect(await pageOf('/products/ledger-notebook')).not.toContain('name="mode"');
  expect((await post('/orders', form)).status).toBe(400);
  expect((await fetch(`${url}/webhook/live`, { method: 'POST' })).status).toBe(404);
});

test('with one a customer chooses, where the currency can be paid live; a test payment is the usual way', async () => {
  const { pageOf, post, buy, gateway } = await openShop({ live });
  expect(await pageOf('/products/ledger-notebook')).toMatch(/value="test" checked.*On a chain of its own/s);
  expect(await pageOf('/products/cedar-pencils')).not.toContain('name="mode"');
  expect((await post('/orders', { ...form, product: 'cedar-pencils' })).status).toBe(400);
  const { path } = await buy();
  expect(gateway.created[0]!.key).toMatch(/^sk_test_/);
  expect(await pageOf(path)).toMatch(/no real money.*>Test</s);
});

test('a live order is charged with the live key, says that it is live, and is paid by a live webhook alone', async () => {
  const { url, buy, pageOf } = await openShop({ live });
  const { payment, path } = await buy(form);
  expect(payment.key).toBe(liveSecrets.secretKey);
  const page = await pageOf(path);
  expect(page).toContain('>Live<');
  expect(page).not.toContain('no real money');

  const event = eventOf(payment, 'payment_completed');
  const post = (place: string, secrets?: typeof liveSecrets) =>
    fetch(`${url}/webhook${place}`, signWebhook(event, secrets));
  expect(await (await post('')).text()).toBe('ignored');
  expect((await post('/live')).status).toBe(400);
  expect(await pageOf(path)).toBe(page);
  expect(await (await post('/live', liveSecrets)).text()).toBe('applied');
  expect(await pageOf(path)).toContain('<h1>Paid, thank you</h1>');
});
