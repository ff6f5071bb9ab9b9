import { FlorinError } from './errors.ts';
import { readEnvelope } from './response.ts';
import { canRetry, retryDelayMs } from './retry.ts';
import { webCrypto } from './web-crypto.ts';

/** One call of the merchant API; `path` starts with a slash and is already encoded. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: object;
  idempotencyKey?: string | undefined;
};

/** Performs a call and returns the envelope's `data`, typed by the caller. */
export type Request = <Data>(call: Call) => Promise<Data>;

/** What every write takes beside its input. Left out, the key is made anew for each call. */
export type WriteOptions = { idempotencyKey?: string };

/** What the sender needs to know; `sleep` stands in for the wait between tries. */
export type RequestConfig = {
  baseUrl: string;
  secretKey: string;
  fetch: typeof fetch;
  timeoutMs: number;
  maxRetries: number;
  sleep: (milliseconds: number) => Promise<void>;
};

/**
 * Makes the one function that talks to the gateway. It tries again after network errors, timeouts, 429, 5xx and a
 * twin in flight; a write carries the same Idempotency-Key every time, so that it takes effect once.
 */
export function createRequest(config: RequestConfig): Request {
  return async <Data>(call: Call) => {
    const url = buildUrl(config.baseUrl, call);
    const init = await buildInit(config, call);
    for (let retry = 0; ; retry++) {
      try {
        return (await tryOnce(config, url, init)) as Data;
      } catch (error) {
        if (!(error instanceof FlorinError) || retry >= config.maxRetries || !canRetry(error)) throw error;
        await config.sleep(retryDelayMs(error, retry, Math.random()));
      }
    }
  };
}

function buildUrl(baseUrl: string, { path, query = {} }: Call): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return baseUrl + path + (text === '' ? '' : `?${text}`);
}

async function buildInit(config: RequestConfig, call: Call): Promise<RequestInit> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${config.secretKey}`,
    Accept: 'application/json',
  };
  if (call.method !== 'GET') {
    headers['Idempotency-Key'] = call.idempotencyKey ?? (await webCrypto()).randomUUID();
  }
  // A followed redirect could turn a write into a GET or take the body elsewhere.
  const init: RequestInit = { method: call.method, headers, redirect: 'manual' };
  if (call.body === undefined) return init;
  headers['Content-Type'] = 'application/json';
  return { ...init, body: JSON.stringify(call.body) };
}

async function tryOnce(config: RequestConfig, url: string, init: RequestInit): Promise<unknown> {
  const { response, text } = await exchange(config, url, init);
  return readEnvelope(response, text, Date.now());
}

async function exchange(config: RequestConfig, url: string, init: RequestInit) {
  try {
    const signal = AbortSignal.timeout(config.timeoutMs);
    const response = await config.fetch(url, { ...init, signal });
    return { response, text: await response.text() };
  } catch (cause) {
    const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
    const message = timedOut
      ? `No answer within ${config.timeoutMs} ms`
      : `Could not reach ${new URL(url).origin}`;
    throw new FlorinError(message, {
      status: 0,
      code: 0,
      slug: timedOut ? 'timeout' : 'network_error',
      cause,
    });
  }
}
