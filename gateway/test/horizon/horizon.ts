import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Keypair } from '@stellar/stellar-sdk';
import { type CoreOptions, createCore, type LedgerCore } from './core/core.ts';
import type { Ledger } from './core/ledger.ts';
import { createFaults, type Faults } from './server/faults.ts';
import { createLimiter } from './server/limit.ts';
import { answerRequest } from './server/server.ts';
import { createWallet, type Wallet } from './wallet.ts';

/** Limits for who asks a Horizon of the tests: it always answers, on a busy machine later. */
export const patient = { timeoutMs: 600_000, submitMs: 600_000 };

export type HorizonOptions = CoreOptions & {
  /**
   * A ledger that other servers show too: it has no interval from this server, and goes on after its end. What is
   * posted is answered when the ledger has it, even by a server that is behind.
   */
  core?: LedgerCore;
  port?: number;
  host?: string;
  /**
   * Milliseconds between ledgers. 0, as by default: a ledger closes over each envelope that HTTP brings. Null: ledgers
   * close only by `close()`.
   */
  closeMs?: number | null;
  /** Requests an hour for an address; null, as by default: as many as it likes. */
  rateLimit?: number | null;
  /** How long POST /transactions waits for its ledger, and how long a stream lasts. */
  submitTimeoutMs?: number;
  streamMs?: number;
  /** Answers what else is served at this address; false where a request is Horizon's. */
  beside?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
};

/** A Horizon that answers at `url`, and the ledger behind it. */
export type Horizon = Wallet & {
  /** Without a slash at its end. */
  readonly url: string;
  readonly passphrase: string;
  readonly root: Keypair;
  readonly core: LedgerCore;
  readonly faults: Faults;
  /** Ledgers that this server is behind its core; may be changed. */
  lagLedgers: number;
  /** Closes a ledger over whatever waits. */
  close(): Ledger;
  /** The latest requests by their method and path with query, oldest first. */
  readonly requests: string[];
  stop(): Promise<void>;
};

const keptRequests = 10_000;

/** Starts a Horizon over a ledger of its own, or over one that it shares. */
export async function startHorizon(options: HorizonOptions = {}): Promise<Horizon> {
  const core = options.core ?? createCore(options);
  const { closeMs = 0 } = options;
  const streams = new Set<() => void>();
  const requests: string[] = [];
  const faults = createFaults(() => {
    for (const cut of streams) cut();
  });
  const limiter = createLimiter(options.rateLimit ?? null, core.now);
  const server = createServer();
  let isStopped = false;
  const closeIfWanted = () => {
    if (!isStopped && core.waiting() > 0) core.close();
  };
  const submitted = () => {
    if (closeMs === 0) setImmediate(closeIfWanted);
  };
  const settings = {
    core,
    faults,
    limiter,
    lag: () => horizon.lagLedgers,
    submitTimeoutMs: options.submitTimeoutMs ?? 30_000,
    streamMs: options.streamMs ?? 55_000,
    submitted,
    streams,
  };
  server.on('request', async (request, response) => {
    if (await options.beside?.(request, response)) return;
    requests.push(`${request.method} ${request.url}`);
    if (requests.length > keptRequests) requests.shift();
    await answerRequest(settings, request, response);
  });
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const timer = closeMs && !options.core ? setInterval(() => core.close(), closeMs) : null;
  const horizon: Horizon = {
    ...createWallet(core),
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    passphrase: core.passphrase,
    root: core.root,
    core,
    faults,
    lagLedgers: 0,
    close: () => core.close(),
    requests,
    async stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      if (!options.core) core.end();
    },
  };
  return horizon;
}
