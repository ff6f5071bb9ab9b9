import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Reader } from '../../../kit/db/db.ts';
import type { TakeReports } from '../../report.ts';
import type { ChainConfig, VaultConfig } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import type { Agreement } from '../scan/blocks/agreement.ts';
import type { SenderDeps } from '../send/deps.ts';
import type { GasKey } from '../send/key.ts';

export type PayoutDeps = {
  db: Database;
  chain: ChainConfig;
  vault: VaultConfig;
  endpoints: Endpoints;
  /** The key that signs; read again each time. Throws SendFault or KeyFault. Null: the vault's admin alone pays out. */
  readKey: (() => Promise<GasKey>) | null;
  /** While it is so, nothing new is signed. */
  isStopped(reader: Reader): Promise<boolean>;
  take: TakeReports;
  now: Clock;
  log: Logger;
};

/** Those of a vault that has a signer. */
export type SigningDeps = PayoutDeps &
  Pick<SenderDeps, 'isSure'> & { readKey: () => Promise<GasKey>; agreement: Agreement };
