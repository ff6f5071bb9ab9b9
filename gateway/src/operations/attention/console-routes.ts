import type { BackupsConfig } from '../../config/backups.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { countBackupFaults } from '../backup-records/schedule.ts';
import { MerchantAttention, OperatorAttention } from './answers.ts';
import { merchantAttention, operatorAttention } from './counts.ts';

export type AttentionDeps = {
  db: Database;
  /** How many rates of offered currencies need an operator. */
  countRatesToCare: (now: Date) => Promise<number>;
  /** Null: there are no scheduled backups. */
  backups: BackupsConfig | null;
  now: Clock;
};

/** What waits for a person of a business, and for an operator. */
export function attentionConsoleRoutes(dashboard: Console, deps: AttentionDeps): void {
  const { db, now } = deps;
  dashboard.get('mode', '/attention', { may: 'read', answer: MerchantAttention }, async ({ owner }) => ({
    message: 'What waits for you',
    data: await merchantAttention(db, owner),
  }));

  dashboard.get('operator', '/attention', { answer: OperatorAttention }, async () => ({
    message: 'What waits for an operator',
    data: {
      ...(await operatorAttention(db)),
      rates: await deps.countRatesToCare(now()),
      backups: await countBackupFaults(db, deps.backups, now()),
    },
  }));
}
