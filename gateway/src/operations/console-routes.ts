import type { Console } from '../identity/console/console.ts';
import { after, type Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { ProcessPage } from './console-answers.ts';
import { heartbeatMs, processReports } from './heartbeat.ts';

export type HealthDeps = { db: Database; now: Clock };

/** A process that missed this many heartbeats counts as ended. */
const missedHeartbeats = 3;

/** The state of the processes of this installation. */
export function healthConsoleRoutes(dashboard: Console, { db, now }: HealthDeps): void {
  dashboard.get('operator', '/processes', { answer: ProcessPage }, async () => {
    const aliveSince = after(now(), (-missedHeartbeats * heartbeatMs) / 1000);
    const items = (await processReports(db)).map(({ started_at, seen_at, ...report }) => ({
      ...report,
      is_alive: seen_at > aliveSince,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
    }));
    return { message: 'Processes', data: { items, next_cursor: null } };
  });
}
