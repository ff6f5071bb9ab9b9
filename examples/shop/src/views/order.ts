import { formatAmount } from '../catalog.ts';
import { type Html, html } from '../html.ts';
import type { Order, Payment } from '../store.ts';
import { layout } from './layout.ts';
import { picture } from './pictures.ts';
import { modeLabel, statusLabel, timeOf } from './status.ts';

/** What an open order's page compares with, to know that it is out of date. */
export function orderState(order: Order, payment: Payment | undefined): string {
  return [order.status, payment?.status ?? 'none', order.note === '' ? '' : 'note'].join(' ');
}

/**
 * The order as its customer sees it. `returned` is how the payment page sent them back; it changes the words for the
 * wait and nothing else, for only a webhook says that money came.
 */
export function orderView(
  order: Order,
  payment: Payment | undefined,
  { returned, florinScript }: { returned: string | null; florinScript: string },
): Html {
  const { title, words, action } = describe(order, payment, returned);
  return layout(
    title,
    order.mode === 'test',
    html`<article class="slip receipt" data-state="${orderState(order, payment)}">
<p class="labels">${statusLabel(order.status)}${modeLabel(order.mode)}</p>
<h1>${title}</h1>
<p>${words}</p>
${order.note !== '' && html`<p class="note">${order.note}</p>`}
${action}
<hr>
<div class="bought">${picture(order.product)}<p>${order.quantity} × ${order.name}<br>
<span class="quiet small">${formatAmount(order.unitCents, order.currency)} each</span></p></div>
<dl class="facts">
<div class="total"><dt>Total</dt><dd>${formatAmount(order.totalCents, order.currency)}</dd></div>
<div><dt>Ordered</dt><dd>${timeOf(order.createdAt)}</dd></div>
${order.email !== '' && html`<div><dt>Receipt to</dt><dd>${order.email}</dd></div>`}
<div><dt>Order</dt><dd><code>${order.id}</code></dd></div>
${payment !== undefined && html`<div><dt>Payment</dt><dd><code>${payment.reference}</code></dd></div>`}
${payment !== undefined && payment.words !== '' && payment.status === 'open' && wordsRow(payment)}
</dl>
</article>`,
    order.status === 'open' ? [florinScript, '/order.js'] : [],
  );
}

type Description = { title: string; words: string; action: Html | null };

function describe(order: Order, payment: Payment | undefined, returned: string | null): Description {
  if (order.status === 'paid') {
    const words = 'We have your payment, and your order will be in the post within two days.';
    return { title: 'Paid, thank you', words, action: button('/', 'Back to the shelf') };
  }
  if (order.status === 'failed') {
    const words = 'No money reached us. Your order is still here: try again, or leave it.';
    return { title: 'Payment failed', words, action: payAgain(order, 'Try again') };
  }
  if (!payment) {
    const words = 'The payment service could not be reached, and nothing was charged. Your order is kept.';
    return { title: 'Still open', words, action: payAgain(order, 'Try to pay again') };
  }
  if (payment.status === 'completed') {
    const words = 'A payment came that does not fit this order. Please do not pay again.';
    return { title: 'We are looking into it', words, action: null };
  }
  if (payment.status !== 'open') {
    const words = 'This order still waits for its payment.';
    return { title: 'Still open', words, action: payAgain(order, 'Pay now') };
  }
  if (returned === 'success') {
    const words =
      'Your payment is being confirmed. This page will say so by itself; you need not do anything.';
    return {
      title: 'Almost there',
      words,
      action: button(`/orders/${order.id}?returned=success`, 'Check again'),
    };
  }
  const words = 'We have not heard of a payment yet. Once you have paid, this page changes by itself.';
  return {
    title: 'Still open',
    words,
    action: html`${button(payment.url, 'Go to the payment')}${inPopUp(payment)}`,
  };
}

/** What customers compare: the words with those of the payment page, the address with what their wallet asks. */
function wordsRow({ words }: Payment): Html {
  return html`<div><dt>The payment page shows the same words, and your wallet this address</dt>
<dd>${words.split('\n').map((line) => html`<code>${line}</code><br>`)}</dd></div>`;
}

/** Opens the payment in a pop-up; without scripts it leads to it. */
function inPopUp({ url }: Payment): Html {
  return html`<p><a class="button plain" href="${url}" data-florin>Pay in a pop-up</a></p>`;
}

/** A form, since it makes a new payment: a link must not. */
function payAgain(order: Order, label: string): Html {
  return html`<form method="post" action="/orders/${order.id}/pay"><button class="button" type="submit">${label}</button></form>`;
}

function button(href: string, label: string): Html {
  return html`<p><a class="button" href="${href}">${label}</a></p>`;
}
