import { doorPermissions } from '../../src/btcpay/protocol/permissions.ts';
import type { Action } from '../../src/identity/keys/actions.ts';
import { createKey } from '../refunds/keys.ts';
import type { RunningApp } from '../support/running.ts';

/** An answer of the door; `body` is undefined where it is empty. */
export type DoorAnswer<Body> = { status: number; headers: Headers; body: Body };

type DoorRequest = {
  body?: unknown;
  raw?: string;
  authorization?: string | null;
  headers?: Record<string, string>;
};

/** Calls the door as a shop does. */
export type Door = {
  key: string;
  store: string;
  /** `path` follows `/api/v1`. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    request?: DoorRequest,
  ): Promise<DoorAnswer<Body>>;
  /** The same below the store's own address. */
  own<Body = Record<string, unknown>>(
    method: string,
    path: string,
    request?: DoorRequest,
  ): Promise<DoorAnswer<Body>>;
};

export const everyAction: Action[] = Object.values(doorPermissions).filter((action) => action !== null);

/** A shop with a test key that may do these things; by default all that a shop may be given. */
export async function openShop(
  app: RunningApp,
  actions: Action[] = everyAction,
  dailyLimits: Record<string, string> | null = null,
): Promise<Door> {
  const key = await createKey(app, actions, dailyLimits);
  const store = `${app.integrationId}-test`;
  async function call<Body>(method: string, path: string, request: DoorRequest = {}) {
    const { body, raw = body === undefined ? undefined : JSON.stringify(body) } = request;
    const { authorization = `token ${key}`, headers } = request;
    const response = await fetch(`${app.baseUrl}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(authorization === null ? {} : { authorization }),
        ...headers,
      },
      ...(raw === undefined ? {} : { body: raw }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  }
  return {
    key,
    store,
    call,
    own: (method, path, request) => call(method, `/stores/${store}${path}`, request),
  };
}

/** What a shop reads of an invoice. */
export type InvoiceBody = {
  id: string;
  storeId: string;
  amount: string;
  paidAmount: string;
  currency: string;
  checkoutLink: string;
  createdTime: number;
  expirationTime: number;
  status: string;
  additionalStatus: string;
  availableStatusesForManualMarking: string[];
  archived: boolean;
  metadata: Record<string, unknown>;
  checkout: Record<string, unknown> & { paymentMethods: string[] };
};

/** Makes an invoice; by default of 10 USDC. */
export async function makeInvoice(shop: Door, change: object = {}): Promise<InvoiceBody> {
  const body = { amount: '10', currency: 'USDC', ...change };
  const made = await shop.own<InvoiceBody>('POST', '/invoices', { body });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  return made.body;
}

export const readInvoice = async (shop: Door, id: string): Promise<InvoiceBody> =>
  (await shop.own<InvoiceBody>('GET', `/invoices/${id}`)).body;

/** Plays an outcome on the payment of an invoice. */
export async function simulate(app: RunningApp, invoiceId: string, outcome: string): Promise<void> {
  const answer = await app.api('POST', `/test/payments/${await referenceOf(app, invoiceId)}/simulate`, {
    body: { outcome },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** The reference of an invoice's payment, which the door itself never says. */
export async function referenceOf({ db }: RunningApp, invoiceId: string): Promise<string> {
  const { rows } = await db.query<{ reference: string }>(
    'SELECT p.reference FROM payment_invoices v JOIN payments p ON p.id = v.payment_id WHERE v.id = $1',
    [invoiceId],
  );
  if (!rows[0]) throw new Error(`No invoice ${invoiceId}`);
  return rows[0].reference;
}
