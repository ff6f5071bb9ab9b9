import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../../gateway/test/suite/endings.ts';
import { createApi } from '../../../gateway/test/support/api.ts';
import { fillClassic, onPage, orderBy, placeOrder, play } from '../checkout.ts';
import { becomes, newestOrder, paidNotes, refundInShop } from '../orders.ts';
import { pasteKey } from '../own-settings.ts';
import { refundsOf, restrictedKey, waitingDeliveries } from '../payments.ts';
import { ownPlugin } from '../shop.ts';
import { look, openStage, openTab, patience, type Stage, tree } from '../stage.ts';

// Florin for WooCommerce where something goes wrong, in a shop that keeps its orders in tables of their own (HPOS).

let stage: Stage;
let key: string;

beforeAll(async () => {
  if (!tree) return;
  stage = await openStage('florin-for-woocommerce', await ownPlugin(), 'florin-for-woocommerce.php');
  await stage.shop.keepOrdersInTables();
  key = await restrictedKey(stage);
  expect(await pasteKey(stage, key)).toEqual([]);
});

const played = test.skipIf(!tree);

/** The reference of the newest order's payment, which the shop keeps before it asks for it. */
async function referenceOf(): Promise<string> {
  const { id } = await newestOrder(stage.shop);
  return stage.shop.php(
    `$all = wc_get_order(${id})->get_meta('_florin_payments'); echo $all ? end($all)['reference'] : '';`,
  );
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atFileEnd(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

played(
  'a webhook that comes before the call that made the payment has answered pays the order once',
  async () => {
    await stage.shop.disturb(`add_filter('http_response', function ($response, $args, $url) {
    if (substr($url, -15) === '/payment/create') sleep(8);
    return $response;
  }, 10, 3);`);
    const page = await openTab(stage.browser);
    await fillClassic(page, stage.shop, 'florin');
    const before = await newestOrder(stage.shop).catch(() => undefined);
    await placeOrder(page);
    await expect
      .poll(async () => (await newestOrder(stage.shop).catch(() => undefined))?.id, patience)
      .not.toBe(before?.id);
    await expect.poll(referenceOf, patience).not.toBe('');
    const reference = await referenceOf();
    const pay = () =>
      stage.gateway.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
    await expect.poll(async () => (await pay()).status, { ...patience, interval: 100 }).toBe(200);
    await onPage(page, stage);
    await becomes(stage.shop, 'processing');
    const { transaction, notes } = await newestOrder(stage.shop);
    expect(transaction).toBe(reference);
    expect(paidNotes(notes)).toHaveLength(1);
    await stage.shop.disturb('');
  },
);

played('a shop that answers its webhooks by a page of its own, with 200, looks again by itself', async () => {
  await stage.shop.disturb(`add_action('init', function () {
    if (preg_match('~wc-api[=/]florin/?$~', $_SERVER['REQUEST_URI'] ?? '')) exit('<h1>Back in a minute</h1>');
  });`);
  const page = await openTab(stage.browser);
  await orderBy(page, stage, 'florin');
  await play(page, 'Success');
  await page.getByText('Paid. Thank you.').waitFor();
  // Else it leads back to the shop after some seconds, which looks then.
  await page.close();
  await expect.poll(() => waitingDeliveries(stage), patience).toBe(0);
  const { id, status } = await newestOrder(stage.shop);
  expect(status).toBe('pending');
  // As the schedule does after a quarter of an hour.
  const looked = await stage.shop.php(`$found = as_get_scheduled_actions(
      ['hook' => 'florin_look_again', 'args' => [${id}, 0], 'status' => 'pending'], 'ids');
    foreach ($found as $each) ActionScheduler::runner()->process_action($each);
    echo count($found);`);
  expect(looked).toBe('1');
  expect((await newestOrder(stage.shop)).status).toBe('processing');
  await stage.shop.disturb('');
});

played('of refunds of all that are asked in the shop and in Florin at once, one is made', async () => {
  const { id, transaction } = await newestOrder(stage.shop);
  const api = createApi(stage.gateway.baseUrl, key);
  const body = { price_amount: '49.90', to: `0x${'d'.repeat(40)}` };
  await Promise.all([
    refundInShop(stage, id, '49.90'),
    api('POST', `/payments/${transaction}/refunds`, { body }),
  ]);
  expect(await refundsOf(stage, transaction)).toHaveLength(1);
  await expect.poll(async () => (await newestOrder(stage.shop)).refunded, patience).toBeGreaterThan(49.8);
  expect((await newestOrder(stage.shop)).refunded).toBeLessThanOrEqual(49.9);
});

played('an address that leads to another host has the key of none, and says so', async () => {
  const asked: string[] = [];
  const foreign = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{}');
    }),
  );
  const leading = await listen(
    createServer((request, response) => {
      response.writeHead(307, { location: `${foreign}${request.url}` }).end();
    }),
  );
  expect((await pasteKey(stage, key, leading)).join()).toContain(
    'answered with status 307. Is its address right?',
  );
  await look(stage.merchant, 'settings-3-leads-elsewhere');
  expect(asked).toEqual([]);
  expect(await pasteKey(stage, key)).toEqual([]);
});

played('a key that nobody here asked for is not taken', async () => {
  const kept = () => stage.shop.php(`echo get_option('woocommerce_florin_settings')['test_key'];`);
  const answer = await fetch(`${stage.shop.url}/?wc-api=florin_connected&state=${'x'.repeat(40)}`, {
    method: 'POST',
    body: new URLSearchParams({ apiKey: `sk_test_${'1'.repeat(32)}` }),
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toContain('florin=unasked');
  expect(await kept()).toBe(key);
});

played('a page that the merchant did not open cannot begin to connect', async () => {
  const opened = await stage.merchant.goto(
    `${stage.shop.url}/wp-admin/admin-post.php?action=florin_connect&mode=test`,
  );
  expect(opened?.status()).toBe(403);
  expect(new URL(stage.merchant.url()).origin).toBe(stage.shop.url);
});
