import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Tx } from '../../../kit/db.ts';
import type { PiConfig } from '../network.ts';
import type { Platform } from './app-to-user.ts';
import type { Horizons } from './horizon.ts';
import type { Signer } from './signer.ts';

/** What the network took for a transaction of ours that moved nothing. Told once. */
export type LostFee = {
  rail: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  sendId: string;
  asset: string;
  units: bigint;
};

/** What those who order are told, each in the transaction that notes it. */
export type SendReports = {
  /** An order will never be carried out, for a reason in words. */
  failed(tx: Tx, sendId: string, why: string): Promise<void>;
  lostFee(tx: Tx, fee: LostFee): Promise<void>;
};

export type SendDeps = {
  db: Database;
  pi: Pick<PiConfig, 'passphrase' | 'account'>;
  horizons: Horizons;
  signer: Signer;
  /** Null: no orders to users of the Pi Browser. */
  platform: Platform | null;
  reports: SendReports;
  now: Clock;
  log: Logger;
};

/** What keeps anything from being sent for now: it is shown, and tried again later. */
export class SendFault extends Error {}
