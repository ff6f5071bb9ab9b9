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

/** What a kind of transaction calls, and what follows from it. */
export type Work = {
  kind: TransactionKind;
  call(made: Pick<Prepared, 'token' | 'treasury' | 'owners'>): Promise<{ to: Hex; data: Hex }>;
  /**
   * The owners whose orders still stand, and the units that they move: bytes that carry another order are not sent
   * again. `isAnew`: only those that may be signed under another nonce. A kind without this function has no orders that end.
   */
  stillDue?(each: UnderWay, isAnew: boolean): Promise<StillDue>;
  /** Writes what belongs to a first attempt, in the same commit. */
  prepared?(tx: Tx, made: Prepared): Promise<void>;
  /** What a mined transaction moved, in the token's smallest units; null: what it was made to move. */
  moved(each: UnderWay, receipt: Receipt): bigint | null;
  /** Writes what follows once it is final. Returns what went wrong, in words, or null. */
  finish(tx: Tx, each: UnderWay, receipt: Receipt): Promise<string | null>;
};

/** The part of a transaction that is still to be done. */
type StillDue = Pick<Prepared, 'owners' | 'units'>;

/** What it takes to send: the sender lock, the key that pays for gas, and what gas costs now. */
export type SenderDeps = {
  db: Database;
  chain: Pick<ChainConfig, 'id' | 'blockSeconds' | 'sweep'>;
  endpoints: Pick<Endpoints, 'use'>;
  lock: Lease;
  key: GasKey;
  gasPrice: GasPrice;
  work: Work;
  /** Whether the fate of a nonce that one endpoint shows is certain: nothing is written before that. */
  isSure(each: UnderWay, fate: Fate): Promise<boolean>;
  now: Clock;
  log: Logger;
};
