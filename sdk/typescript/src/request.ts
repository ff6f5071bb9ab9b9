import type { Calls } from './api-calls.ts';
import { FlorinError } from './errors.ts';
import { type CallOptions, exchange } from './exchange.ts';
import { readEnvelope } from './response.ts';
import { canRetry, retryDelayMs } from './retry.ts';
import { webCrypto } from './web-crypto.ts';

/** The options of every write. Without a key, each call gets a new one. */
export type WriteOptions = CallOptions & { idempotencyKey?: string | undefined };

type CallName = keyof Calls;
type Parts<Name extends CallName> = Omit<Calls[Name], 'answer'> & WriteOptions;

/** The `data` of an answer; `replayed` when an earlier call with the same key had its effect already. */
type Answered<Data> = { data: Data; replayed: boolean };

/** Performs a call of the merchant API. */
export type Send = <Name extends CallName>(
  name: Name,
  parts: Parts<Name>,
) => Promise<Answered<Calls[Name]['answer']>>;

/** Performs a call and returns only the `data` of its answer. */
export type Call = <Name extends CallName>(name: Name, parts: Parts<Name>) => Promise<Calls[Name]['answer']>;

/** The settings of the sender; `sleep` replaces the wait between tries. */
export type RequestConfig = {
  baseUrl: string;
  secretKey: string;
  fetch: typeof fetch;
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** The parts of any call, as they are sent. */
type AnyParts = WriteOptions & {
  path?: string[];
  query?: Record<string, string | number | string[] | undefined>;
  body?: object;
};

/**
 * Makes the only function that sends requests to the gateway. It tries again after network errors, timeouts, 429, 5xx and
 * while the same write is in progress; a write carries the same Idempotency-Key every time, so that it takes effect once.
 */
export function createSend(config: RequestConfig): Send {
  return async <Name extends CallName>(name: Name, given: Parts<Name>) => {
    const parts: AnyParts = given;
    const [method, template] = name.split(' ') as [string, string];
    const isRead = method === 'GET';
    const idempotencyKey = isRead ? null : (parts.idempotencyKey ?? (await webCrypto()).randomUUID());
    const url = config.baseUrl + fillPath(template, parts.path) + queryOf(parts.query);
    const init = initOf(config.secretKey, method, parts.body, idempotencyKey);
    const request = { url, init, idempotencyKey, signal: parts.signal };
    return tryUntilAnswered<Calls[Name]['answer']>(config, request);
  };
}

type PreparedRequest = {
  url: string;
  init: RequestInit;
  idempotencyKey: string | null;
  signal: AbortSignal | undefined;
};

async function tryUntilAnswered<Data>(
  config: RequestConfig,
  { url, init, idempotencyKey, signal }: PreparedRequest,
): Promise<Answered<Data>> {
  const deadline = Date.now() + config.deadlineMs;
  for (let tries = 1; ; tries++) {
    try {
      const timeoutMs = Math.max(1, Math.min(config.timeoutMs, deadline - Date.now()));
      const { response, text } = await exchange(config.fetch, url, init, { timeoutMs, signal });
      const data = readEnvelope(response, text, Date.now()) as Data;
      return { data, replayed: response.headers.get('idempotent-replayed') === 'true' };
    } catch (error) {
      if (!(error instanceof FlorinError)) throw error;
      error.tries = tries;
      error.idempotencyKey = idempotencyKey;
      const waitMs = retryDelayMs(error, tries - 1, Math.random());
      if (tries > config.maxRetries || !canRetry(error) || Date.now() + waitMs >= deadline) throw error;
      await config.sleep(waitMs, signal);
    }
  }
}

function fillPath(template: string, values: string[] = []): string {
  let next = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[next++];
    // A path with an empty part or dots would lead to another call.
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw new TypeError(`${name} must be a text that is not empty, "." or ".."`);
  });
}

function queryOf(query: AnyParts['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of [value].flat()) parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function initOf(
  secretKey: string,
  method: string,
  body: object | undefined,
  idempotencyKey: string | null,
): RequestInit {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${secretKey}`,
    Accept: 'application/json',
  };
  if (idempotencyKey !== null) headers['Idempotency-Key'] = idempotencyKey;
  // A followed redirect could turn a write into a GET or take the body elsewhere.
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body === undefined) return init;
  headers['Content-Type'] = 'application/json';
  return { ...init, body: JSON.stringify(body) };
}
