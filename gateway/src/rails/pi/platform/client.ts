import { systemClock } from '../../../kit/clock.ts';
import { Agent, request } from '../../../kit/net/undici.ts';
import { readSecret, type Secret, type SecretFault, secretNamed } from '../../../kit/secret.ts';
import { hiderOf, targetOf } from '../../endpoint-address.ts';
import { describeExchange, isBroken, kindOfExchange, retryAfterMs } from '../../endpoint-fault.ts';
import type { PlatformConfig } from '../horizon/network.ts';
import { kindOfStatus, PlatformFault } from './fault.ts';
import { type PlatformPayment, readPlatformPayment } from './payment.ts';

/** What the gateway asks the platform to pay to one of the app's users. */
export type AppPayment = { amount: number; memo: string; metadata: object; uid: string };

/**
 * The Pi platform, by its API v2. Every call throws PlatformFault; `signal` ends it early. What was to change
 * something and failed may have been done: `payment` shows whether it was.
 */
export type Platform = {
  /** Its host: what may be shown. */
  name: string;
  payment(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Lets the customer sign. */
  approve(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Says that its transaction came; only when the platform agrees may anything be delivered. */
  complete(identifier: string, txid: string, signal?: AbortSignal): Promise<PlatformPayment>;
  cancel(identifier: string, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Makes a payment of the app to one of its users; it is still to be signed and sent by us. */
  create(payment: AppPayment, signal?: AbortSignal): Promise<PlatformPayment>;
  /** Those of the app to its users that are not completed. */
  incomplete(signal?: AbortSignal): Promise<PlatformPayment[]>;
  /** Why the platform takes none of our calls, in words; null: it does. */
  keyFault(): string | null;
  close(): Promise<void>;
};

type Call = { method: 'GET' | 'POST'; path: string; body?: object; signal?: AbortSignal | undefined };
type Answer = {
  status: number;
  retryAfter: number | undefined;
  value: unknown;
  /** Takes the key out of what the platform wrote. */
  hideKey(text: string): string;
};

/** For a whole exchange: a customer waits for several of them. */
const exchangeMs = 6_000;
const agentOptions = { connections: 8, keepAliveTimeout: 30_000, maxResponseSize: 1024 * 1024 };

/** Speaks to the platform. Nothing is asked, and no key read, until the first call. */
export function createPlatform({ url, keyFile }: PlatformConfig): Platform {
  const agent = new Agent(agentOptions);
  const { address, headers } = targetOf(url);
  const base = address.replace(/\/$/, '');
  const name = new URL(url).host;
  const hide = hiderOf(url);
  let keyFault: string | null = null;

  const fault = (kind: PlatformFault['kind'], why: string, details = {}) =>
    new PlatformFault(kind, `${name}: ${hide(why)}`, details);

  async function exchange({ method, path, body, signal }: Call): Promise<Answer> {
    const key = await readKey(keyFile).catch((error: Error) => {
      keyFault = error.message;
      throw new PlatformFault('unreachable', error.message);
    });
    const timeout = AbortSignal.timeout(exchangeMs);
    const send = async (): Promise<Answer> => {
      const response = await request(base + path, {
        method,
        headers: {
          ...headers,
          authorization: `Key ${key}`,
          accept: 'application/json',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        },
        body: method === 'POST' ? JSON.stringify(body ?? {}) : null,
        dispatcher: agent,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const retryAfter = retryAfterMs(response.headers['retry-after'], systemClock());
      const value = parsed(await response.body.text());
      const hideKey = (text: string) => text.replaceAll(key, '…');
      return { status: response.statusCode, retryAfter, value, hideKey };
    };
    try {
      // A kept connection may have been closed at the other end; what only reads can be asked again.
      return await send().catch((error) =>
        method === 'GET' && isBroken(error) ? send() : Promise.reject(error),
      );
    } catch (error) {
      throw fault(kindOfExchange(error as Error), describeExchange(error as Error, exchangeMs));
    }
  }

  async function ask<T>(call: Call, read: (value: unknown) => T | null): Promise<T> {
    const { status, retryAfter, value, hideKey } = await exchange(call);
    const isKeyRefused = status === 401 || status === 403;
    keyFault = isKeyRefused ? `${name} does not take the server key (${status}).` : null;
    if (status < 200 || status > 299) {
      const { error, error_message: words } = (value ?? {}) as Record<string, unknown>;
      const code = typeof error === 'string' ? hideKey(error) : null;
      const said = [code, typeof words === 'string' ? hideKey(words) : null].filter((each) => each !== null);
      // A proxy in front of the platform knows nothing about its payments.
      const kind = code === null && kindOfStatus(status) === 'refused' ? 'unreachable' : kindOfStatus(status);
      const why = `answered ${status}${said.length > 0 ? ` with ${said.join(': ')}` : ''}`;
      throw fault(kind, why, { status, code, retryAfterMs: retryAfter });
    }
    const answer = read(value);
    if (answer === null) throw fault('nonsense', `answered ${status} with something else than it was asked`);
    return answer;
  }

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
    keyFault: () => keyFault,
    close: () => agent.destroy(),
  };
}

/** The documentation wraps the list in an object; clients that are in use expect it bare. */
function readList(value: unknown): PlatformPayment[] | null {
  const list = Array.isArray(value)
    ? value
    : (value as { incomplete_server_payments?: unknown } | null)?.incomplete_server_payments;
  if (!Array.isArray(list)) return null;
  const payments = list.map(readPlatformPayment);
  return payments.every((payment) => payment !== null) ? payments : null;
}

/** Read anew each time, so that a changed key counts at once. What is in the file is in no message. */
async function readKey(secret: Secret): Promise<string> {
  const name = secretNamed('key file', secret);
  const key = await readSecret(secret).catch((fault: SecretFault) => {
    throw new Error(`The ${name} of the Pi platform ${fault.message}.`);
  });
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new Error(`The ${name} of the Pi platform must hold its server key alone.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
