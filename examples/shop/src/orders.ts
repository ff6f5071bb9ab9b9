import { randomBytes } from 'node:crypto';
import {
  type AgreedSplit,
  type Client,
  type PaymentInput,
  paymentWords,
  verifyDestination,
} from '@florin/sdk';
import { findProduct, type Product } from './catalog.ts';
import {
  insertOrder,
  insertPayment,
  latestPayment,
  type Mode,
  type Order,
  type Store,
  updateOrder,
} from './store.ts';

/** What the till needs: where to keep orders, whom to charge through, where customers come back to. */
export type Till = {
  store: Store;
  /** Whom to charge through, for each mode that the shop has a key of. */
  clients: Partial<Record<Mode, Client>>;
  /** What can be paid live beside test payments; null where there is no choice. */
  live: { note: string; currencies: string[] } | null;
  publicUrl: string;
  /** Where the money of payments must go; null: it is credited to the balance, and nothing is verified. */
  agreed: AgreedSplit | null;
};

/** A filled-in order form, or the sentence that says what is wrong with it. */
export type OrderForm = { product: string; quantity: number; email: string; mode: Mode };

const MOST_AT_ONCE = 20;

/** How a product can be paid, the usual way first. */
export function modesOf({ clients, live }: Pick<Till, 'clients' | 'live'>, { currency }: Product): Mode[] {
  if (!clients.test) return ['live'];
  const isLive = live && (live.currencies.length === 0 || live.currencies.includes(currency));
  return isLive ? ['test', 'live'] : ['test'];
}

/** Checks an order form as it was posted. */
export function readOrderForm(
  till: Pick<Till, 'clients' | 'live'>,
  form: URLSearchParams,
): OrderForm | { fault: string } {
  const slug = form.get('product') ?? '';
  const product = findProduct(slug);
  const quantity = form.get('quantity') ?? '1';
  const email = (form.get('email') ?? '').trim();
  if (!product) return { fault: 'We do not sell that.' };
  const modes = modesOf(till, product);
  const mode = modes.find((each) => each === (form.get('mode') ?? modes[0]));
  if (!mode) return { fault: 'That way to pay is not open for this.' };
  if (!/^[1-9]\d?$/.test(quantity) || Number.parseInt(quantity, 10) > MOST_AT_ONCE) {
    return { fault: `Choose a quantity from 1 to ${MOST_AT_ONCE}.` };
  }
  if (email !== '' && (email.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))) {
    return { fault: 'That e-mail address is not complete. Mend it, or leave it out.' };
  }
  return { product: slug, quantity: Number.parseInt(quantity, 10), email, mode };
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
    mode: form.mode,
    status: 'open',
    note: '',
    createdAt: new Date().toISOString(),
  };
  insertOrder(store, order);
  return order;
}

/**
 * Gives the address where the order can be paid now: the payment that is still open, or a new one; null where the
 * shop no longer has a key for its mode. Asked twice at
 * once, or again after a crash, it gives the same payment, for the idempotency key comes from order and attempt.
 * @throws FlorinError when the gateway refuses or cannot be reached, and DestinationError when the money would go elsewhere than
 * agreed on; the order stays as it was.
 */
export async function startPayment(till: Till, order: Order): Promise<string | null> {
  const latest = latestPayment(till.store, order.id);
  if (latest?.status === 'open') return latest.url;

  const florin = till.clients[order.mode];
  if (!florin) return null;
  const attempt = (latest?.attempt ?? 0) + 1;
  const idempotencyKey = `order-${order.id}-${attempt}`;
  const created = await florin.payments.create(paymentInput(till, order), { idempotencyKey });
  const { id: paymentId, payment_reference: reference } = created.PaymentData;
  const words = till.agreed ? await wordsOf(florin, till.agreed, { paymentId, reference, order }) : '';
  insertPayment(till.store, { reference, orderId: order.id, attempt, url: created.PaymentURL, words });
  updateOrder(till.store, order.id, { status: 'open', note: '' });
  return created.PaymentURL;
}

/** Verifies each address of a payment; gives a line for each, with the words that the payment page shows beside it. */
async function wordsOf(
  florin: Client,
  agreed: AgreedSplit,
  { paymentId, reference, order }: { paymentId: string; reference: string; order: Order },
): Promise<string> {
  const cents = `${order.totalCents}`.padStart(3, '0');
  const amount = `${cents.slice(0, -2)}.${cents.slice(-2)}`;
  const { items } = await florin.payments.destinations(reference);
  const lines = items.map((destination) => {
    verifyDestination({ paymentId, destination, agreed });
    const { asset, chain_id: chainId, address } = destination;
    const words = paymentWords({ paymentId, agreed, chainId, asset, amount, reference });
    return `${asset}: ${words}, ${address}`;
  });
  return lines.join('\n');
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
