import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createApi } from '../../../gateway/test/support/api.ts';
import { fillBlocks, fillClassic, onPage, orderBy, placeOrder, play, returnTo } from '../checkout.ts';
import { becomes, newestOrder, paidNotes, refundInShop } from '../orders.ts';
import { pasteKey, save, setOption, settingsPage } from '../own-settings.ts';
import {
  endpointsOf,
  eventsOf,
  paymentStatus,
  refundsOf,
  restrictedKey,
  waitingDeliveries,
} from '../payments.ts';
import { ownPlugin } from '../shop.ts';
import { grant, look, openStage, openTab, patience, type Stage, tree } from '../stage.ts';

// Florin for WooCommerce, as its merchants and their customers meet it, in one shop from the first key to the uninstall.

let stage: Stage;
/** The key of the shop, once it is a restricted one. */
let key: string;

beforeAll(async () => {
  if (tree)
    stage = await openStage('florin-for-woocommerce', await ownPlugin(), 'florin-for-woocommerce.php');
});

const played = test.skipIf(!tree);
const orderClassic = (page: Page) => orderBy(page, stage, 'florin');

played('a merchant pastes the address and a key, and the shop has its webhook endpoint', async () => {
  expect(await pasteKey(stage, stage.gateway.demo.secret_key)).toEqual([]);
  await look(stage.merchant, 'settings-2-saved');
  expect(await endpointsOf(stage)).toMatchObject([{ url: expect.stringContaining('wc-api') }]);
});

played(
  'a customer pays at a classic checkout, and the order is paid once, with a note of what was paid',
  async () => {
    const page = await openTab(stage.browser);
    await fillClassic(page, stage.shop, 'florin');
    await look(page, 'classic-1-checkout');
    await placeOrder(page);
    await onPage(page, stage);
    await look(page, 'classic-2-pay');
    await play(page, 'Success');
    await page.getByText('Paid. Thank you.').waitFor();
    await becomes(stage.shop, 'processing');
    await returnTo(page, '**order-received**');
    await look(page, 'classic-3-received');
    const { transaction, notes } = await newestOrder(stage.shop);
    expect(transaction).toMatch(/^wc-[0-9a-f]{8}-\d+-1$/);
    expect(paidNotes(notes)).toHaveLength(1);
    expect(paidNotes(notes)[0]).toMatch(/62\.38 USDC|62\.375 PI/);
  },
);

played('webhooks that come twice, late and out of order change nothing any more', async () => {
  const before = await newestOrder(stage.shop);
  const events = await eventsOf(stage, before.transaction);
  expect(events.length).toBeGreaterThan(0);
  // The newest first: so they come backwards.
  for (const id of [...events, ...events])
    expect((await stage.gateway.api('POST', `/events/${id}/resend`)).status).toBe(200);
  await expect.poll(() => waitingDeliveries(stage), patience).toBe(0);
  expect(await newestOrder(stage.shop)).toEqual(before);
});

played('a webhook that nobody signed is refused', async () => {
  const body = JSON.stringify({ payment_reference: 'wc-00000000-1-1', payment_status: 'completed' });
  const { status } = await fetch(`${stage.shop.url}/?wc-api=florin`, { method: 'POST', body });
  expect(status).toBe(401);
});

played('a key that may not make refunds says so, and the order has none', async () => {
  const { id } = await newestOrder(stage.shop);
  expect(await refundInShop(stage, id, '10')).toContain('This key may not make refunds');
  expect((await newestOrder(stage.shop)).refunded).toBe(0);
});

played(
  'a part of an order is refunded in the shop, and the customer is mailed where to say the address',
  async () => {
    const { id, transaction } = await newestOrder(stage.shop);
    key = await restrictedKey(stage);
    await setOption(stage, 'test_key', key);
    await refundInShop(stage, id, '10');
    await expect.poll(async () => (await newestOrder(stage.shop)).refunded, patience).toBe(10);
    await look(stage.merchant, 'refund-2-made');
    const { notes } = await newestOrder(stage.shop);
    expect(notes.find((note) => note.includes('Say where it should go'))).toContain(stage.gateway.baseUrl);
    expect(await refundsOf(stage, transaction)).toMatchObject([{ status: 'awaiting_destination' }]);
  },
);

played('a refund that was made in Florin is a refund of the order, once it arrived', async () => {
  const { transaction } = await newestOrder(stage.shop);
  const to = `0x${'d'.repeat(40)}`;
  const made = await createApi(stage.gateway.baseUrl, key)('POST', `/payments/${transaction}/refunds`, {
    body: { price_amount: '5', to, reason: 'A scratch' },
  });
  expect(made.status, made.text).toBe(200);
  await expect.poll(async () => (await newestOrder(stage.shop)).refunded, patience).toBe(15);
});

played('an order whose payment failed can be paid anew, by another payment', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  await play(page, 'Failure');
  await becomes(stage.shop, 'failed');
  await returnTo(page, '**pay_for_order**');
  await look(page, 'failed-1-again');
  await page.locator('label[for=payment_method_florin]').click();
  await page.click('#place_order');
  await onPage(page, stage);
  await play(page, 'Success');
  await becomes(stage.shop, 'processing');
  expect((await newestOrder(stage.shop)).transaction).toMatch(/-2$/);
});

played('who cancels and pays by bank transfer has no open payment left', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  const reference = new URL(page.url()).searchParams.get('reference')!;
  await page.goto(stage.shop.classic);
  await page.locator('label[for=payment_method_bacs]').click();
  await placeOrder(page);
  await page.waitForURL('**order-received**');
  expect((await newestOrder(stage.shop)).status).toBe('on-hold');
  expect(await paymentStatus(stage, reference)).toBe('cancelled');
});

played('two tabs of one order lead to one payment', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  const first = page.url();
  const other = await page.context().newPage();
  await other.goto(stage.shop.classic);
  await other.locator('label[for=payment_method_florin]').click();
  await placeOrder(other);
  await onPage(other, stage);
  expect(new URL(other.url()).searchParams.get('reference')).toBe(
    new URL(first).searchParams.get('reference'),
  );
});

played('an order that was changed after its payment was made is not paid by it, and says so', async () => {
  const page = await openTab(stage.browser);
  await orderClassic(page);
  const { id } = await newestOrder(stage.shop);
  await stage.shop.php(`$order = wc_get_order(${id}); $item = new WC_Order_Item_Fee(); $item->set_name('Gift wrap');
    $item->set_amount('5'); $item->set_total('5'); $order->add_item($item); $order->calculate_totals(); $order->save();`);
  await play(page, 'Success');
  await becomes(stage.shop, 'on-hold');
  const { notes, total } = await newestOrder(stage.shop);
  expect(total).toBe('54.90');
  expect(notes.join()).toContain('49.90 EUR were paid, but the order now comes to 54.90 EUR');
});

played('a customer pays at a checkout that is made of blocks', async () => {
  const page = await openTab(stage.browser);
  await fillBlocks(page, stage.shop, 'PI, USDC and other coins');
  await look(page, 'blocks-1-checkout');
  await placeOrder(page);
  await onPage(page, stage);
  await play(page, 'Success');
  await becomes(stage.shop, 'processing');
});

played('over the shop, in a pop-up, an order is paid too', async () => {
  await setOption(stage, 'display', 'popup');
  const page = await openTab(stage.browser);
  await fillClassic(page, stage.shop, 'florin');
  await placeOrder(page);
  await page.locator('#florin-pay').waitFor();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Success', exact: true }).waitFor();
  await look(page, 'pop-up-1-open');
  await frame.getByRole('button', { name: 'Success', exact: true }).click();
  await page.waitForURL('**order-received**');
  await becomes(stage.shop, 'processing');
  await setOption(stage, 'display', 'redirect');
});

played(
  'where the webhook does not come, the return of the customer brings the order up to date',
  async () => {
    await stage.shop.php(
      `$all = get_option('florin_endpoints'); $all['test']['secret'] = 'whsec_' . base64_encode('another'); update_option('florin_endpoints', $all);`,
    );
    const page = await openTab(stage.browser);
    await orderClassic(page);
    await play(page, 'Success');
    await returnTo(page, '**order-received**');
    expect((await newestOrder(stage.shop)).status).toBe('processing');
    await stage.merchant.goto(settingsPage(stage));
    expect(await save(stage)).toEqual([]);
  },
);

played(
  'a key that was revoked in the middle of a checkout says so to nobody but the log, and the order waits',
  async () => {
    await setOption(stage, 'test_key', `sk_test_${'0'.repeat(32)}`);
    const page = await openTab(stage.browser);
    await fillClassic(page, stage.shop, 'florin');
    await placeOrder(page);
    await page.getByText('The payment could not be started.').waitFor();
    await look(page, 'revoked-1-checkout');
    expect(await page.textContent('body')).not.toContain('sk_test_');
    await setOption(stage, 'test_key', key);
    await placeOrder(page);
    await onPage(page, stage);
  },
);

played('a merchant presses Connect, grants a key on the page of the gateway, and is back', async () => {
  const { merchant, shop } = stage;
  await setOption(stage, 'test_key', '');
  await merchant.goto(settingsPage(stage));
  await merchant.locator('a[href*="florin_connect"][href*="mode=test"]').click();
  await grant(stage, 'connect-1-grant');
  await merchant.waitForURL(`${shop.url}/wp-admin/**florin=connected-test**`);
  await merchant.getByText('Connected for test mode.').waitFor();
  await look(merchant, 'connect-2-connected');
  expect(await endpointsOf(stage)).toHaveLength(1);
  await orderClassic(await openTab(stage.browser));
});

played('a shop in German says it in German', async () => {
  const say = `echo __('Pay now', 'florin-for-woocommerce'), ', ', (new Florin\\WooCommerce\\Gateway())->method_description;`;
  await stage.shop.disturb(`add_filter('locale', fn () => 'de_DE');`);
  expect(await stage.shop.php(say)).toMatch(/^Jetzt bezahlen, Nimmt PI/);
  await stage.shop.disturb('');
});

played('PHP wrote of no fault', () => {
  const faults = stage.shop
    .log()
    .split('\n')
    .filter((line) => /PHP|florin/i.test(line) && /Warning|Fatal|Notice|Deprecated/.test(line));
  expect(faults.filter((line) => line.includes('florin-for-woocommerce'))).toEqual([]);
});

played('what was uninstalled leaves no setting, no key and no endpoint', async () => {
  await stage.shop.php(`require_once 'wp-admin/includes/plugin.php'; $file = 'florin-for-woocommerce/florin-for-woocommerce.php';
    deactivate_plugins($file); uninstall_plugin($file);`);
  const left = await stage.shop.php(
    `global $wpdb; echo json_encode($wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%florin%'"));`,
  );
  expect(JSON.parse(left)).toEqual([]);
  expect(await endpointsOf(stage)).toEqual([]);
});
