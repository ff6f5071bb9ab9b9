import type { IncomingMessage } from 'node:http';
import { DestinationError, FlorinError } from '@florin/sdk';
import { findProduct, type Product, products } from './catalog.ts';
import { isForeign, page, type Reply, readBody, seeOther, text } from './http.ts';
import { modesOf, placeOrder, readOrderForm, startPayment, type Till } from './orders.ts';
import { findOrder, latestPayment, listOrders, type Order } from './store.ts';
import { shelfView } from './views/home.ts';
import { messageView } from './views/message.ts';
import { orderState, orderView } from './views/order.ts';
import { ordersView } from './views/orders.ts';
import { type Offer, productView } from './views/product.ts';
import { receiveWebhook, type WebhookSecrets } from './webhook.ts';

/** What the routes work with. `log` takes one line without secrets. */
export type ShopContext = Till & {
  secrets: WebhookSecrets;
  /** Those of the live endpoint beside it. */
  liveSecrets: WebhookSecrets | null;
  testMode: boolean;
  /** The gateway's script, which shows payments in a pop-up. */
  florinScript: string;
  log: (line: string) => void;
};

type Handler = (
  context: ShopContext,
  request: IncomingMessage,
  url: URL,
  id: string,
) => Reply | Promise<Reply>;

const routes: readonly [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^\/$/, (context) => page(200, shelfView(products, context.testMode))],
  ['GET', /^\/products\/([\w-]+)$/, showProduct],
  ['POST', /^\/orders$/, postOrder],
  ['GET', /^\/orders$/, (context) => page(200, ordersView(listOrders(context.store, 50), context.testMode))],
  ['GET', /^\/orders\/([\w-]+)$/, showOrder],
  ['GET', /^\/orders\/([\w-]+)\/state$/, showState],
  ['POST', /^\/orders\/([\w-]+)\/pay$/, postPay],
  ['POST', /^\/webhook$/, (context, request) => receiveWebhook(request, context.store, context.secrets)],
  ['POST', /^\/webhook\/live$/, postLiveWebhook],
];

const FORM_LIMIT_BYTES = 4096;

/** Answers one request. */
export async function route(context: ShopContext, request: IncomingMessage): Promise<Reply> {
  const url = URL.parse(`http://shop${request.url}`);
  if (!url) return notFound(context);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const [verb, path, handler] of routes) {
    const match = verb === method && path.exec(url.pathname);
    if (match) return handler(context, request, url, match[1] ?? '');
  }
  return notFound(context);
}

function showProduct(context: ShopContext, _request: IncomingMessage, _url: URL, slug: string): Reply {
  const product = findProduct(slug);
  return product ? page(200, productView(product, offerOf(context, product))) : notFound(context);
}

function offerOf(context: ShopContext, product: Product): Offer {
  const { testMode, live } = context;
  return { testMode, modes: modesOf(context, product), liveNote: live?.note ?? '' };
}

async function postLiveWebhook(context: ShopContext, request: IncomingMessage): Promise<Reply> {
  const { store, liveSecrets } = context;
  return liveSecrets ? await receiveWebhook(request, store, liveSecrets) : notFound(context);
}

async function postOrder(context: ShopContext, request: IncomingMessage): Promise<Reply> {
  if (isForeign(request, context.publicUrl)) return refuseForeign(context);
  const fields = new URLSearchParams((await readBody(request, FORM_LIMIT_BYTES)).toString());
  const form = readOrderForm(context, fields);
  if (!('fault' in form)) return pay(context, placeOrder(context.store, form), fields.has('pay'));
  const product = findProduct(fields.get('product') ?? '');
  if (!product) return notFound(context);
  return page(400, productView(product, offerOf(context, product), { fault: form.fault, fields }));
}

async function postPay(
  context: ShopContext,
  request: IncomingMessage,
  _url: URL,
  id: string,
): Promise<Reply> {
  if (isForeign(request, context.publicUrl)) return refuseForeign(context);
  const order = findOrder(context.store, id);
  if (!order) return notFound(context);
  const settled = order.status === 'paid' || latestPayment(context.store, id)?.status === 'completed';
  return settled ? seeOther(`/orders/${id}`) : pay(context, order);
}

/**
 * On to the payment page, or with `isHere` to the order, which shows it in a pop-up. To the order also where it has words to compare; and
 * when there is no payment to be had, which the order then offers to try again.
 */
async function pay(context: ShopContext, order: Order, isHere = false): Promise<Reply> {
  try {
    const url = await startPayment(context, order);
    const hasWords = (latestPayment(context.store, order.id)?.words ?? '') !== '';
    if (url !== null && isHere) return seeOther(`/orders/${order.id}?pay=here`);
    return seeOther(hasWords || url === null ? `/orders/${order.id}` : url);
  } catch (error) {
    if (error instanceof DestinationError) {
      context.log(`No payment for an order, its address was refused: ${error.reason}. ${error.message}`);
      return seeOther(`/orders/${order.id}`);
    }
    if (!(error instanceof FlorinError)) throw error;
    context.log(`No payment for an order: ${error.status} ${error.message} (${error.requestId})`);
    return seeOther(`/orders/${order.id}`);
  }
}

function showOrder(context: ShopContext, _request: IncomingMessage, url: URL, id: string): Reply {
  const order = findOrder(context.store, id);
  if (!order) return notFound(context);
  const returned = url.searchParams.get('returned');
  const { florinScript } = context;
  return page(200, orderView(order, latestPayment(context.store, id), { returned, florinScript }));
}

function showState(context: ShopContext, _request: IncomingMessage, _url: URL, id: string): Reply {
  const order = findOrder(context.store, id);
  return order ? text(200, orderState(order, latestPayment(context.store, id))) : text(404, 'Not found');
}

function notFound(context: ShopContext): Reply {
  const words = 'There is nothing at this address. The shelf is still where it was.';
  return page(404, messageView('Not found', words, context.testMode));
}

function refuseForeign(context: ShopContext): Reply {
  const words =
    'That form was sent from another site, so nothing was done. Please order from the shop itself.';
  return page(403, messageView('Not from here', words, context.testMode));
}
