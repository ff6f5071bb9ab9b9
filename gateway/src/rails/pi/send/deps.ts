import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import type { SendReport } from '../../rail.ts';
import type { Horizons } from '../horizon/horizons.ts';
import type { PiConfig } from '../horizon/network.ts';
import type { Platform } from '../platform/client.ts';
import type { Signer } from './signer.ts';

/** Takes a report of an order, in the transaction that notes it. The reader reports that an order was carried out. */
type ReportSend = (tx: Tx, report: SendReport) => Promise<void>;

/** The calls of the Pi platform that sending needs. */
export type SendPlatform = Pick<Platform, 'create' | 'incomplete' | 'payment' | 'complete' | 'cancel'>;

export type SendDeps = {
  db: Database;
  pi: Pick<PiConfig, 'passphrase' | 'account' | 'isTest'>;
  horizons: Pick<Horizons, 'use' | 'size'>;
  signer: Signer;
  /** Null: no orders to users of the Pi Browser. */
  platform: SendPlatform | null;
  report: ReportSend;
  /** Whether nothing new may be signed; what was signed is followed to its end. */
  isStopped: (reader: Reader) => Promise<boolean>;
  now: Clock;
  log: Logger;
};
