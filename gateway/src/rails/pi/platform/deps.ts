import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import type { Horizons } from '../horizon/horizons.ts';
import type { PiConfig } from '../horizon/network.ts';
import type { Platform } from './client.ts';

/** What is still to be paid of a payment, in units of 10^-7 PI, and until when. */
type Payable = { units: bigint; until: Date };

/** What the flow inside the Pi Browser needs of the rest of the gateway. */
export type PlatformDeps = {
  db: Database;
  pi: Pick<PiConfig, 'account' | 'passphrase' | 'isTest'>;
  platform: Platform;
  horizons: Pick<Horizons, 'use'>;
  /** Reports what is due of a payment. */
  report(paymentId: string): Promise<void>;
  /**
   * Locks a payment and notes that its customer pays with PI; null where nothing may be paid any more. What to report
   * to the platform is decided under that lock.
   */
  open(tx: Tx, paymentId: string): Promise<Payable | null>;
  /** Whether a reference is one of this installation's. */
  isOurs(reader: Reader, reference: string): Promise<boolean>;
  /** Makes the reader read the account now. */
  wake(): void;
  now: Clock;
  log: Logger;
};
