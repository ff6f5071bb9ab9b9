import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Reader } from '../../../kit/db/db.ts';
import type { TakeReports } from '../../report.ts';
import type { ChainConfig, VaultConfig } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import type { GasKey } from '../send/key.ts';

export type PayoutDeps = {
  db: Database;
  chain: ChainConfig;
  vault: VaultConfig;
  endpoints: Endpoints;
  /** The key that signs; read anew each time. Throws SendFault or KeyFault. */
  readKey(): Promise<GasKey>;
  /** While it is so, nothing new is signed. */
  isStopped(reader: Reader): Promise<boolean>;
  take: TakeReports;
  now: Clock;
  log: Logger;
};
