import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { btcpay, installable } from '../btcpay-plugin.ts';
import { fillBlocks, fillClassic, onPage, orderBy, placeOrder, play, returnTo } from '../checkout.ts';
import { becomes, newestOrder, refundInShop } from '../orders.ts';
import { endpointsOf, waitingDeliveries } from '../payments.ts';
import { grant, look, openStage, openTab, patience, type Stage, tree } from '../stage.ts';

// BTCPay's plug-in for WooCommerce as it was published, which is given the address of a Florin gateway.

const name = 'btcpay-greenfield-for-woocommerce';
const method = 'btcpaygf_default';
let stage: Stage;

beforeAll(async () => {
  if (tree && btcpay) stage = await openStage(name, await installable(btcpay), `${name}.php`);
});

const played = test.skipIf(!tree || !btcpay);
const settings = () => `${stage.shop.url}/wp-admin/admin.php?page=wc-settings&tab=btcpay_settings`;
const orderClassic = (page: Page) => orderBy(page, stage, method);
const option = (of: string) => stage.shop.php(`echo get_option('btcpay_gf_${of}');`);

played('its merchant types address, key and store, and it makes its webhook', async () => {
  const { merchant, gateway } = stage;
  const { integration_id: id, btcpay_keys: keys } = gateway.demo;
  await merchant.goto(settings());
  await merchant.check('#btcpay_gf_connection_details');
  await merchant.fill('#btcpay_gf_url', gateway.baseUrl);
  await merchant.fill('#btcpay_gf_api_key', keys?.test ?? '');
  await merchant.fill('#btcpay_gf_store_id', `${id}-test`);
  await merchant.click('button[name=save]');
  await merchant.getByText('Webhook setup automatically.').waitFor();
  await look(merchant, 'door-1-settings');
  expect(await endpointsOf(stage)).toHaveLength(1);
  await stage.shop.php(
    `update_option('woocommerce_${method}_settings', ['enabled' => 'yes', 'title' => 'Coins']);`,
  );
});

played('a customer pays at a classic checkout, and the order is paid', async () => {
  const page = await openTab(stage.browser);
  await fillClassic(page, stage.shop, method);
  await look(page, 'door-2-checkout');
  await placeOrder(page);
  await onPage(page, stage);
  await look(page, 'door-3-pay');
  expect((await newestOrder(stage.shop)).status).toBe('pending');
  await play(page, 'Success');
  await becomes(stage.shop, 'processing');
  await returnTo(page, '**order-received**');
  await look(page, 'door-4-received');
});

played('a payment that is seen and not final yet lets the order wait, until it is', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  const reference = new URL(page.url()).searchParams.get('reference') ?? '';
  const simulate = (outcome: string) =>
    stage.gateway.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
  expect((await simulate('slow')).status).toBe(200);
  await becomes(stage.shop, 'on-hold');
  await becomes(stage.shop, 'processing');
});

played('webhooks that come again change nothing', async () => {
  const before = await newestOrder(stage.shop);
  const { integration_id: id, btcpay_keys: keys } = stage.gateway.demo;
  const door = async (path: string, method = 'GET') => {
    const headers = { authorization: `token ${keys?.test}` };
    const address = `${stage.gateway.baseUrl}/api/v1/stores/${id}-test/webhooks${path}`;
    const answer = await fetch(address, { method, headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { id: string }[];
  };
  const [webhook] = await door('');
  const deliveries = await door(`/${webhook?.id}/deliveries`);
  expect(deliveries.length).toBeGreaterThan(4);
  for (const each of deliveries.slice(0, 5))
    await door(`/${webhook?.id}/deliveries/${each.id}/redeliver`, 'POST');
  await expect.poll(() => waitingDeliveries(stage), patience).toBe(0);
  expect((await newestOrder(stage.shop)).status).toBe(before.status);
});

played('an order that nobody pays in time is cancelled', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  await play(page, 'Let it expire');
  await becomes(stage.shop, 'cancelled');
});

played('a payment that fails is not an order that is paid', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  await play(page, 'Failure');
  await becomes(stage.shop, 'failed');
});

played('its refund names no invoice: it is refused in words, and the order has none', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  await play(page, 'Success');
  await becomes(stage.shop, 'processing');
  const { id } = await newestOrder(stage.shop);
  await refundInShop(stage, id, '10');
  expect((await newestOrder(stage.shop)).refunded).toBe(0);
});

played('a customer pays at a checkout that is made of blocks', async () => {
  const page = await openTab(stage.browser);
  await fillBlocks(page, stage.shop, 'Coins');
  await placeOrder(page);
  await onPage(page, stage);
  await play(page, 'Success');
  await becomes(stage.shop, 'processing');
});

played('its button asks for a key, a person grants it, and it is connected', async () => {
  const { shop, gateway, merchant } = stage;
  await shop.php(`foreach (['api_key', 'store_id', 'webhook'] as $each) delete_option("btcpay_gf_$each");`);
  await merchant.goto(settings());
  await merchant.fill('#btcpay_gf_url', gateway.baseUrl);
  await merchant.click('.btcpay-api-key-link');
  await grant(stage, 'door-5-connect');
  await merchant.waitForURL(`${shop.url}/wp-admin/**`);
  expect(await option('store_id')).toBe(`${gateway.demo.integration_id}-test`);
  await look(merchant, 'door-6-connected');
});
