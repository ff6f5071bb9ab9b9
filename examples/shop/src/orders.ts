import { randomBytes } from 'node:crypto';
import type { Client, PaymentInput } from '@florin/sdk';
import { findProduct } from './catalog.ts';
import { insertOrder, insertPayment, latestPayment, type Order, type Store, updateOrder } from './store.ts';

/** What the till needs: where to keep orders, whom to charge through, where customers come back to. */
export type Till = { store: Store; florin: Client; publicUrl: string };

/** A filled-in order form, or the sentence that says what is wrong with it. */
export type OrderForm = { product: string; quantity: number; email: string };

const MOST_AT_ONCE = 20;

/** Checks an order form as it was posted. */
export function readOrderForm(form: URLSearchParams): OrderForm | { fault: string } {
  const product = form.get('product') ?? '';
  const quantity = form.get('quantity') ?? '1';
  const email = (form.get('email') ?? '').trim();
  if (!findProduct(product)) return { fault: 'We do not sell that.' };
  if (!/^[1-9]\d?$/.test(quantity) || Number.parseInt(quantity, 10) > MOST_AT_ONCE) {
    return { fault: `Choose a quantity from 1 to ${MOST_AT_ONCE}.` };
  }
  if (email !== '' && (email.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))) {
    return { fault: 'That e-mail address is not complete. Mend it, or leave it out.' };
  }
  return { product, quantity: Number.parseInt(quantity, 10), email };
}

/** Writes the order down, before any money is asked for. Its id cannot be guessed: it opens the order's page. */
export function placeOrder(store: Store, form: OrderForm): Order {
  const product = findProduct(form.product);
  if (!product) throw new Error(`No product ${form.product}`);
  const order: Order = {
    id: randomBytes(16).toString('base64url'),
    product: product.slug,
    name: product.name,
    quantity: form.quantity,
    unitCents: product.priceCents,
    totalCents: product.priceCents * form.quantity,
    currency: product.currency,
    email: form.email,
    status: 'open',
    note: '',
    createdAt: new Date().toISOString(),
  };
  insertOrder(store, order);
  return order;
}

/**
 * Gives the address where the order can be paid now: the payment that is still open, or a new one. Asked twice at
 * once, or again after a crash, it gives the same payment, for the idempotency key comes from order and attempt.
 * @throws FlorinError when the gateway refuses or cannot be reached; the order stays as it was.
 */
export async function startPayment(till: Till, order: Order): Promise<string> {
  const latest = latestPayment(till.store, order.id);
  if (latest?.status === 'open') return latest.url;

  const attempt = (latest?.attempt ?? 0) + 1;
  const idempotencyKey = `order-${order.id}-${attempt}`;
  const created = await till.florin.payments.create(paymentInput(till, order), { idempotencyKey });
  const { payment_reference: reference } = created.PaymentData;
  insertPayment(till.store, { reference, orderId: order.id, attempt, url: created.PaymentURL });
  updateOrder(till.store, order.id, { status: 'open', note: '' });
  return created.PaymentURL;
}

function paymentInput(till: Till, order: Order): PaymentInput {
  const back = `${till.publicUrl}/orders/${order.id}`;
  return {
    amount: order.totalCents / 100,
    currency: order.currency,
    payment_type: 'deposit',
    success_url: `${back}?returned=success`,
    failure_url: `${back}?returned=failure`,
    item_list: { items: [{ name: order.name, price: order.unitCents / 100, quantity: order.quantity }] },
    meta_data: JSON.stringify({ order_id: order.id }),
    ...(order.email === '' ? {} : { customer_email: order.email }),
  };
}
