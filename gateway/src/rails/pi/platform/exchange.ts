import { systemClock } from '../../../kit/clock.ts';
import { Agent, request } from '../../../kit/net/undici.ts';
import { readSecret, type Secret, type SecretFault, secretNamed } from '../../../kit/secret.ts';
import { createSecretHider, targetOf } from '../../endpoint-address.ts';
import { describeExchange, isBroken, kindOfExchange, retryAfterMs } from '../../endpoint-fault.ts';
import type { PlatformConfig } from '../horizon/network.ts';
import { kindOfStatus, PlatformFault } from './fault.ts';

type Call = {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  signal?: AbortSignal | undefined;
};

type Answer = {
  status: number;
  retryAfter: number | undefined;
  value: unknown;
  /** Takes the key out of what the platform wrote. */
  hideKey(text: string): string;
};

/** Exchanges requests with the platform under the server key. */
export type Exchange = {
  /** Its host: what may be shown. */
  name: string;
  /** Makes a call; `read` returns null for an answer of another shape. Throws PlatformFault. */
  ask<T>(call: Call, read: (value: unknown) => T | null): Promise<T>;
  /** Why the platform takes none of our calls, in words; null: it does. */
  keyFault(): string | null;
  close(): Promise<void>;
};

/** For a whole exchange: a customer waits for several of them. */
const exchangeMs = 6_000;
const agentOptions = { connections: 8, keepAliveTimeout: 30_000, maxResponseSize: 1024 * 1024 };

/** Nothing is asked, and no key read, until the first call. */
export function createExchange({ url, keyFile }: Pick<PlatformConfig, 'url' | 'keyFile'>): Exchange {
  const agent = new Agent(agentOptions);
  const { address, headers } = targetOf(url);
  const base = address.replace(/\/$/, '');
  const name = new URL(url).host;
  const hide = createSecretHider(url);
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
      // A kept connection may have been closed at the other end; only a call that reads can be repeated safely.
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
      const { error, error_message: message } = (value ?? {}) as Record<string, unknown>;
      const code = typeof error === 'string' ? hideKey(error) : null;
      const words = [code, typeof message === 'string' ? hideKey(message) : null].filter(
        (each) => each !== null,
      );
      // A proxy in front of the platform knows nothing about its payments.
      const kind = code === null && kindOfStatus(status) === 'refused' ? 'unreachable' : kindOfStatus(status);
      const why = `answered ${status}${words.length > 0 ? ` with ${words.join(': ')}` : ''}`;
      throw fault(kind, why, { status, code, retryAfterMs: retryAfter });
    }
    const answer = read(value);
    if (answer === null) throw fault('nonsense', `answered ${status} with something else than it was asked`);
    return answer;
  }

  return { name, ask, keyFault: () => keyFault, close: () => agent.destroy() };
}

/** Read again each time, so that a changed key counts at once. No message holds the content of the file. */
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
