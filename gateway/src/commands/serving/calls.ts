import type pg from 'pg';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Config } from '../../config/config.ts';
import type { AskForTokens } from '../../kit/http/shared-buckets.ts';
import type { Restorer } from '../../operations/first-run/restorer.ts';
import type { Faucet } from '../../rails/evm/config/chains.ts';
import type { Role } from './options.ts';

/** What a worker process is started with. */
export type WorkerStart = {
  /** From 1. A worker that is started again keeps its number. */
  number: number;
  workers: number;
  role: Role;
  config: Config;
  connection: pg.PoolConfig;
  shopUrl: string | undefined;
  hasFaucet: boolean;
  hasRestorer: boolean;
};

/** The metrics of one process. */
export type MetricList = MetricObjectWithValues<MetricValue<string>>[];

/** What the supervisor may call in a worker process. */
export type WorkerCalls = {
  /** Resolves when the worker is ready; rejects with a text for people when it cannot start. */
  start(start: WorkerStart): Promise<void>;
  metrics(): Promise<MetricList>;
  /** Finishes what is under way, then ends. */
  stop(): Promise<void>;
};

/** What a worker process may call in its supervisor. */
export type SupervisorCalls = {
  /** Takes tokens of rate limits. */
  tokens: AskForTokens;
  /** Sends coins of the demo chain. */
  faucet: Faucet;
  /** Begins to restore a backup, and says how far that is. */
  beginRestore: Restorer['begin'];
  restoreState: Restorer['state'];
  placedBackups: Restorer['placed'];
};
