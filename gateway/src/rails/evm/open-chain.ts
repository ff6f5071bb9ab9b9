import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { RailHealth } from '../health.ts';
import type { TakeReports } from '../report.ts';
import type { ChainConfig } from './config/chains.ts';
import { createVerifier } from './contracts/verify.ts';
import { createEndpoints, type Endpoints } from './rpc/endpoints.ts';
import { chainHealth } from './scan/health.ts';
import { createScanner } from './scan/scanner.ts';

/** A chain that this process scans, or will scan when the process that holds its lease ends. */
export type OpenChain = {
  chain: ChainConfig;
  endpoints: Endpoints;
  everyMs: number;
  /** Checks the contracts when that is due, and reads the chain up to its head. */
  round(): Promise<void>;
  /** Reads a part of what is due to be read a second time. */
  readAgain(): Promise<void>;
  health(): Promise<RailHealth>;
  /** Ends the requests that are under way; to be called before the last round is awaited. */
  disconnect(): Promise<void>;
  /** Lets another process scan the chain at once; to be called after the last round. */
  release(): Promise<void>;
};

export type OpenChainDeps = {
  db: Database;
  chain: ChainConfig;
  take: TakeReports;
  now: Clock;
  log: Logger;
};

const quickestMs = 250;
const slowestMs = 2_000;

/** Opens a chain: its endpoints, the check of its contracts, and its scanner. */
export function openChain(deps: OpenChainDeps): OpenChain {
  const { db, chain, now } = deps;
  const endpoints = createEndpoints({ chain });
  const scanner = createScanner({ ...deps, endpoints });
  const verify = createVerifier({ ...deps, endpoints });
  return {
    chain,
    endpoints,
    everyMs: Math.min(slowestMs, Math.max(quickestMs, chain.blockSeconds * 1000)),
    async round() {
      await verify();
      await scanner.tick();
    },
    readAgain: () => scanner.readAgain(),
    health: () => chainHealth(db, chain, now()),
    disconnect: () => endpoints.close(),
    release: () => scanner.release(),
  };
}
