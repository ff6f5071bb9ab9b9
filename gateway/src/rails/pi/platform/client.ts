import type { PlatformConfig } from '../horizon/network.ts';
import { createExchange } from './exchange.ts';
import { type PlatformPayment, readPlatformPayment } from './payment.ts';

/** What the gateway asks the platform to pay to one of the app's users. */
type AppPayment = { amount: number; memo: string; metadata: object; uid: string };

/**
 * The Pi platform, by its API v2. Every call throws PlatformFault; `signal` ends it early. A call that changes something
 * may have been carried out though it failed: `payment` shows whether it was.
 */
export type Platform = {
  /** Its host: what may be shown. */
  name: string;
  payment(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Lets the customer sign. */
  approve(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Says that its transaction arrived; nothing may be delivered before the platform agrees. */
  complete(identifier: string, txid: string, signal?: AbortSignal): Promise<PlatformPayment>;
  cancel(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Makes a payment of the app to one of its users; it is still to be signed and sent by us. */
  create(payment: AppPayment, signal?: AbortSignal): Promise<PlatformPayment>;
  /** The payments of the app to its users that are not completed. */
  incomplete(signal?: AbortSignal): Promise<PlatformPayment[]>;
  /** Why the platform takes none of our calls, in words; null: it does. */
  keyFault(): string | null;
  close(): Promise<void>;
};

/** Makes the client of the platform. Nothing is asked, and no key read, until the first call. */
export function createPlatform(config: PlatformConfig): Platform {
  const { name, ask, keyFault, close } = createExchange(config);
  const one = (identifier: string) => (value: unknown) => {
    const payment = readPlatformPayment(value);
    return payment?.identifier === identifier ? payment : null;
  };
  const pathOf = (identifier: string, action = '') => `/payments/${encodeURIComponent(identifier)}${action}`;
  const post = (identifier: string, action: string, body: object, signal?: AbortSignal) =>
    ask({ method: 'POST', path: pathOf(identifier, action), body, signal }, one(identifier));

  return {
    name,
    payment: (identifier, signal) =>
      ask({ method: 'GET', path: pathOf(identifier), signal }, one(identifier)),
    approve: (identifier, signal) => post(identifier, '/approve', {}, signal),
    complete: (identifier, txid, signal) => post(identifier, '/complete', { txid }, signal),
    cancel: (identifier, signal) => post(identifier, '/cancel', {}, signal),
    create: (payment, signal) =>
      ask({ method: 'POST', path: '/payments', body: { payment }, signal }, readPlatformPayment),
    incomplete: (signal) =>
      ask({ method: 'GET', path: '/payments/incomplete_server_payments', signal }, readList),
    keyFault,
    close,
  };
}

/** In the documentation the list is in an object; clients that are in use expect the list alone. */
function readList(value: unknown): PlatformPayment[] | null {
  const list = Array.isArray(value)
    ? value
    : (value as { incomplete_server_payments?: unknown } | null)?.incomplete_server_payments;
  if (!Array.isArray(list)) return null;
  const payments = list.map(readPlatformPayment);
  return payments.every((payment) => payment !== null) ? payments : null;
}
