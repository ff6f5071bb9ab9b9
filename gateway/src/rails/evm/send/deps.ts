import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Tx } from '../../../kit/db/db.ts';
import type { Lease } from '../../../kit/db/lease.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import type { Fate } from './fate.ts';
import type { GasPrice } from './fees.ts';
import type { GasKey } from './key.ts';
import type { Prepared, TransactionKind, UnderWay } from './under-way.ts';
import type { Receipt } from './view.ts';

/** What a kind of transaction calls, and what comes of it. */
export type Work = {
  kind: TransactionKind;
  call(made: Pick<Prepared, 'token' | 'treasury' | 'owners'>): Promise<{ to: Hex; data: Hex }>;
  /**
   * Those of its owners whose orders still stand, and what they move: bytes that carry another one are not sent again.
   * `isAnew`: only those that may be signed under another nonce. Without it all stand.
   */
  standing?(each: UnderWay, isAnew: boolean): Promise<Standing>;
  /** Writes down, in the same commit, what a first attempt is written for. */
  prepared?(tx: Tx, made: Prepared): Promise<void>;
  /** What a mined one moved, in the token's smallest units; null: what it was made to move. */
  moved(each: UnderWay, receipt: Receipt): bigint | null;
  /** It stays on the chain: what is to be written with that. Returns what went wrong, in words, or null. */
  finish(tx: Tx, each: UnderWay, receipt: Receipt): Promise<string | null>;
};

/** What of a transaction is still to be done. */
export type Standing = Pick<Prepared, 'owners' | 'units'>;

/** What it takes to send: the sender lock, the key that pays for gas, and what gas costs now. */
export type SenderDeps = {
  db: Database;
  chain: Pick<ChainConfig, 'id' | 'blockSeconds' | 'sweep'>;
  endpoints: Pick<Endpoints, 'use'>;
  lock: Lease;
  key: GasKey;
  gasPrice: GasPrice;
  work: Work;
  /** Whether the end of a nonce that one endpoint shows is sure: only then anything follows from it. */
  isSure(each: UnderWay, fate: Fate): Promise<boolean>;
  now: Clock;
  log: Logger;
};
