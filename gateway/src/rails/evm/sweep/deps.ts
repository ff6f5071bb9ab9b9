import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { ChainConfig } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';

export type SweepDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Pick<Endpoints, 'use'>;
  /** USD for one of an asset, as a decimal; null: not known. */
  usdOf(asset: AssetCode): string | null;
  now: Clock;
  log: Logger;
};
