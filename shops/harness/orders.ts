import type { Dialog } from 'playwright-core';
import { expect } from 'vitest';
import type { Shop } from './shop.ts';
import { look, patience, type Stage } from './stage.ts';

/** An order as WooCommerce has it; `refunded` in its currency. */
export type Order = {
  id: number;
  status: string;
  total: string;
  transaction: string;
  notes: string[];
  refunded: number;
};

export async function newestOrder(shop: Shop): Promise<Order> {
  return JSON.parse(
    await shop.php(`[$order] = wc_get_orders(['limit' => 1, 'orderby' => 'id', 'order' => 'DESC', 'type' => 'shop_order']);
      echo json_encode(['id' => $order->get_id(), 'status' => $order->get_status(), 'total' => $order->get_total(),
        'transaction' => $order->get_transaction_id(), 'refunded' => $order->get_total_refunded(),
        'notes' => array_map(fn ($note) => $note->content, wc_get_order_notes(['order_id' => $order->get_id()]))]);`),
  ) as Order;
}

/** The notes that say that an order was paid. */
export const paidNotes = (notes: string[]) => notes.filter((note) => note.includes('paid.'));

/** Until the newest order has this status. */
export const becomes = (shop: Shop, status: string) =>
  expect.poll(async () => (await newestOrder(shop)).status, patience).toBe(status);

/** Refunds so much of an order by the buttons of its page; returns what dialogs said. */
export async function refundInShop({ merchant, shop }: Stage, id: number, amount: string): Promise<string> {
  await merchant.goto(`${shop.url}/wp-admin/post.php?post=${id}&action=edit`);
  await merchant.getByRole('button', { name: 'Refund', exact: true }).click();
  await merchant.fill('#refund_amount', amount);
  await look(merchant, 'refund-1-form');
  // First it asks, then it may say a fault.
  const said: string[] = [];
  const listen = (dialog: Dialog) => {
    said.push(dialog.message());
    void dialog.accept();
  };
  merchant.on('dialog', listen);
  await merchant.locator('.do-api-refund').click();
  const isDone = async () => said.length > 1 || (await merchant.locator('tr.refund').count()) > 0;
  await expect.poll(isDone, patience).toBe(true);
  merchant.off('dialog', listen);
  return said.join();
}
