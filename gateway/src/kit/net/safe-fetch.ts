import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Agent as AgentOf, buildConnector, Dispatcher } from 'undici';
import { type AddressKind, addressKind } from './addresses.ts';
import { faultOf } from './exchange-fault.ts';
import { isOpenPort } from './ports.ts';
import { Agent, connectorOf } from './undici.ts';

/** Which machines a request may reach: the public internet; also this machine; or any. */
export type Reach = 'public' | 'loopback' | 'any';

export type OutgoingRequest = {
  /** POST by default. */
  method?: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  /** A stream is sent as it is read; in chunks, unless the caller sets a Content-Length. */
  body: Buffer | Readable;
  reach: Reach;
};

/** A complete answer (`body` is its first 64 KiB at most), or why there was none. */
export type ExchangeResult =
  | { statusCode: number; headers: Record<string, string | string[]>; body: Buffer; durationMs: number }
  | { error: string; durationMs: number };

export type HttpSender = {
  /** Sends one request; redirects are not followed. Never rejects. */
  send(request: OutgoingRequest): Promise<ExchangeResult>;
  /** Ends every connection; current exchanges end without an answer. */
  close(): Promise<void>;
};

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<dns.LookupAddress[]>;

export type HttpSenderOptions = {
  resolve?: Resolve;
  /** For the whole exchange: resolving, connecting, sending, and the last byte of the answer. */
  timeoutMs?: number;
};

const maxBodyBytes = 64 * 1024;
const resolveAll: Resolve = (hostname) => dns.promises.lookup(hostname, { all: true });

/**
 * Sends requests to addresses that merchants chose. A name is resolved here and refused when one of its addresses is
 * out of reach. The connection is made to one of the addresses that were checked, so a name that resolves to another
 * address a moment later has no effect.
 */
export function createHttpSender({
  resolve = resolveAll,
  timeoutMs = 5_000,
}: HttpSenderOptions = {}): HttpSender {
  // One for each reach: a pooled connection that was opened under a wider reach must not serve a narrower one.
  const agents = new Map<Reach, Agent>();

  function agentFor(reach: Reach): Agent {
    const known = agents.get(reach);
    if (known) return known;
    const agent = guardedAgent(reach, { resolve, timeoutMs });
    agents.set(reach, agent);
    return agent;
  }

  return {
    send: (exchange) => exchangeOver(agentFor(exchange.reach), exchange, timeoutMs),
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/**
 * Connections that reach only what `reach` allows, for a client that sends by itself. A name is resolved here, and the
 * connection is made to one of the addresses that were checked. The caller destroys it.
 */
export function guardedAgent(
  reach: Reach,
  { resolve = resolveAll, timeoutMs = 5_000, ...options }: HttpSenderOptions & AgentOf.Options = {},
): Agent {
  return new Agent({ ...options, connect: guardedConnector(reach, resolve, timeoutMs) });
}

function inReach(kind: AddressKind, reach: Reach): boolean {
  return reach === 'any' || kind === 'public' || kind === reach;
}

function assertInReach(hostname: string, addresses: readonly string[], reach: Reach): void {
  for (const address of addresses) {
    const kind = addressKind(address);
    // The text has only the name: the private address that it resolves to is not disclosed.
    if (kind === null || !inReach(kind, reach)) {
      throw new Error(`${hostname} leads to an address that is not on the public internet`);
    }
  }
}

function guardedConnector(reach: Reach, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname)
      .then((found) => {
        const first = found[0];
        if (!first) throw new Error(`${hostname} has no address`);
        const addresses = found.map(({ address }) => address);
        assertInReach(hostname, addresses, reach);
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      })
      .catch((error: Error) => callback(error, []));
  };
  const connect = connectorOf({ lookup, timeout: timeoutMs, allowH2: false });
  return (options, callback) => {
    try {
      if (reach === 'public' && !isOpenPort(options)) throw new Error(`Port ${options.port} is not called`);
      // For an address in place of a name there is no lookup.
      if (addressKind(options.hostname) !== null) assertInReach(options.hostname, [options.hostname], reach);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(options, callback);
  };
}

function exchangeOver(
  agent: Agent,
  { method = 'POST', url, headers, body }: OutgoingRequest,
  timeoutMs: number,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const started = performance.now();
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let statusCode = 0;
    let responseHeaders: Record<string, string | string[]> = {};
    const chunks: Buffer[] = [];
    let received = 0;

    function settle(outcome: { error: string } | undefined): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      const durationMs = Math.round(performance.now() - started);
      if (outcome) resolve({ ...outcome, durationMs });
      else resolve({ statusCode, headers: responseHeaders, body: joined(chunks), durationMs });
    }

    function timeOut(): void {
      if (settled) return;
      settle({ error: `No complete answer within ${timeoutMs / 1000} s` });
      controller?.abort(new Error('timed out'));
    }

    // A plain timer: an AbortSignal for each request costs more than the rest of its bookkeeping. After a process
    // was suspended its timers run first, so the data that arrived meanwhile is read before the timeout counts.
    const timer = setTimeout(() => setImmediate(timeOut), timeoutMs);

    agent.dispatch(
      // undici's own timers are off: the one above covers all of them.
      {
        ...addressOf(url),
        method,
        headers,
        body: method === 'POST' ? body : null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started;
          // It timed out while it waited for a connection.
          if (settled) started.abort(new Error('timed out'));
        },
        onResponseStart(_, code, received) {
          if (code < 200) return;
          statusCode = code;
          responseHeaders = received as Record<string, string | string[]>;
        },
        onResponseData(current, chunk) {
          const room = maxBodyBytes - received;
          chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
          received += chunk.length;
          if (received <= maxBodyBytes) return;
          settle(undefined);
          current.abort(new Error('enough was read'));
        },
        onResponseEnd: () => settle(undefined),
        onResponseError: (_, error) => settle({ error: faultOf(error) }),
      },
    );
  });
}

// Reading the parts of a URL takes as long as writing a header, so they are kept.
const addresses = new WeakMap<URL, { origin: string; path: string }>();

function addressOf(url: URL): { origin: string; path: string } {
  const known = addresses.get(url);
  if (known) return known;
  const address = { origin: url.origin, path: url.pathname + url.search };
  addresses.set(url, address);
  return address;
}

const nothing = Buffer.alloc(0);

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  if (first === undefined) return nothing;
  return chunks.length === 1 ? first : Buffer.concat(chunks);
}
