import { formatAmount } from '../catalog.ts';
import { type Html, html } from '../html.ts';
import type { Order } from '../store.ts';
import { layout } from './layout.ts';
import { modeLabel, statusLabel, timeOf } from './status.ts';

/** The newest orders of the shop. */
export function ordersView(orders: Order[], testMode: boolean): Html {
  return layout(
    'Orders',
    testMode,
    html`<section class="intro">
<h1>Orders</h1>
<p>The latest orders of this demo, for everyone to see. A real shop keeps this page behind a sign-in.</p>
</section>
${orders.length === 0 ? empty : html`<ul class="orders">${orders.map(row)}</ul>`}`,
  );
}

const empty = html`<div class="slip">
<p>No orders yet. <a href="/">Choose something from the shelf</a>, pay on the next page, and it will stand here as paid as soon as the webhook has come.</p>
</div>`;

function row(order: Order): Html {
  return html`<li>
<a href="/orders/${order.id}">${order.quantity} × ${order.name}</a>
<span class="amount">${formatAmount(order.totalCents, order.currency)}</span>
<span class="labels">${statusLabel(order.status)}${modeLabel(order.mode)}</span>
<span class="quiet small">${timeOf(order.createdAt)}</span>
</li>`;
}
