import { balanceCalls } from './balances.ts';
import { eventCalls } from './events.ts';
import { pause } from './exchange.ts';
import { healthCalls } from './health.ts';
import { keyCalls } from './key.ts';
import { paymentLinkCalls } from './payment-links.ts';
import { paymentCalls } from './payments.ts';
import { payoutCalls } from './payouts.ts';
import { rateCalls } from './rates.ts';
import { refundCalls } from './refunds.ts';
import { type Call, createSend, type RequestConfig } from './request.ts';
import { testModeCalls } from './test-mode.ts';
import { webhookEndpointCalls } from './webhook-endpoints.ts';

/** How to reach a gateway. */
export type ClientOptions = {
  /** The integration's secret key of one mode: `sk_test_...` or `sk_live_...`. Keep it on the server. */
  secretKey: string;
  /** Where the gateway listens, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Another fetch than the global one. */
  fetch?: typeof fetch;
  /** How long one try may take; 30,000 by default. */
  timeoutMs?: number;
  /** How long a call may take with all its tries and the waits between them; 120,000 by default. */
  deadlineMs?: number;
  /** How often to try again after a fault that can pass; 2 by default, 0 for never. */
  maxRetries?: number;
  /** Replaces the wait between two tries, so that tests need not wait. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** A client, as `createClient` makes it. */
export type Client = ReturnType<typeof createClient>;

/**
 * Makes a client of one integration and mode. It keeps no connection and no state: make one and share it.
 * @throws TypeError in a browser, and for a key or an address that cannot be right.
 */
export function createClient(options: ClientOptions) {
  refuseBrowser();
  const config: RequestConfig = {
    secretKey: checkSecretKey(options.secretKey),
    baseUrl: checkBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    maxRetries: options.maxRetries ?? 2,
    sleep: options.sleep ?? pause,
  };
  const send = createSend(config);
  const call: Call = async (name, parts) => (await send(name, parts)).data;
  return {
    payments: paymentCalls(call, send),
    paymentLinks: paymentLinkCalls(call),
    ...balanceCalls(call),
    payouts: payoutCalls(call),
    refunds: refundCalls(call),
    key: keyCalls(call),
    rates: rateCalls(call),
    events: eventCalls(call),
    webhookEndpoints: webhookEndpointCalls(call),
    test: testModeCalls(call),
    ...healthCalls(config),
  };
}

function refuseBrowser(): void {
  if ('window' in globalThis && 'document' in globalThis) {
    throw new TypeError('A secret key must never reach a browser: call Florin from your server');
  }
}

function checkSecretKey(secretKey: string): string {
  // A key that is read from a file often has a line break at its end.
  const key = String(secretKey).trim();
  if (/^sk_(test|live)_\w+$/.test(key)) return key;
  throw new TypeError('secretKey must be a key that starts with sk_test_ or sk_live_');
}

function checkBaseUrl(baseUrl: string): string {
  if (/^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(baseUrl)) return baseUrl.replace(/\/+$/, '');
  throw new TypeError('baseUrl must be an http or https address, such as https://pay.example.com');
}
