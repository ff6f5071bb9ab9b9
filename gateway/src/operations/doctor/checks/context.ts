import type { Config } from '../../../config/config.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { AddressAnswer } from './ask-address.ts';
import type { Finding } from './finding.ts';

/** What an installation shows to its checks. */
export type Examined = {
  config: Config;
  /** Null: it cannot be used, or there is none yet. */
  db: Database | null;
  /** Why it cannot be used; null: there is none yet. */
  databaseFault: string | null;
  /** A warning where the role that serves has too many rights; null: it has not. */
  roleWarning: () => Promise<string | null>;
  /** Whether the tables are those of this version. */
  isMigrated: () => Promise<boolean>;
  now: Clock;
};

/** The same while checks run. */
export type Context = Examined & {
  /** Aborted when the time of the checks is over. */
  signal: AbortSignal;
  /** How long each check may take. */
  limitMs: number;
  /** What the public addresses answer; they are asked once for all checks. */
  answers: () => Promise<readonly AddressAnswer[]>;
};

/** Looks at one kind of thing. One that throws is reported as a check that failed. */
export type Check = (context: Context) => Promise<Finding[]>;
