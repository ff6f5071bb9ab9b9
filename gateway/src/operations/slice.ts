import type { Console } from '../identity/console/console.ts';
import type { Migration } from '../kit/db/migrate.ts';
import type { Loops } from '../kit/loop.ts';
import type { Slice } from '../kit/slice.ts';
import { type AttentionDeps, attentionConsoleRoutes } from './attention/console-routes.ts';
import { type HealthDeps, healthConsoleRoutes } from './console-routes.ts';
import { type QuestionDeps, questionRoutes } from './doctor/checks/questions.ts';
import { healthRoutes } from './health.ts';
import { createHeartbeat, type HeartbeatDeps, heartbeatMs } from './heartbeat.ts';
import { type SecurityTxt, securityTxtRoutes } from './security-txt.ts';
import { createStampMetrics } from './stamps/metrics.ts';
import { createStamper, type StamperDeps } from './stamps/stamper.ts';

export type OperationDeps = StamperDeps &
  HealthDeps &
  AttentionDeps &
  Pick<HeartbeatDeps, 'masterKeys'> &
  SecurityTxt &
  QuestionDeps & {
    migrations: Migration[];
    loops: Loops;
  };

/** Health and readiness of the installation, and the hash chain over the audit log and the ledger. */
export function createOperations(deps: OperationDeps): Slice<Console> {
  const { db, migrations, loops } = deps;
  const stamper = createStamper(deps);
  return {
    routes: {
      pages: (server) => {
        healthRoutes(server, { db, migrations, loops: loops.required });
        securityTxtRoutes(server, deps);
        questionRoutes(server, deps);
      },
      dashboard: (dashboard) => {
        healthConsoleRoutes(dashboard, deps);
        attentionConsoleRoutes(dashboard, deps);
      },
    },
    loops: [
      {
        name: 'heartbeat',
        everyMs: heartbeatMs,
        work: createHeartbeat({ ...deps, loops: loops.all }),
        isOwn: true,
      },
      { name: 'stamps', everyMs: 1_000, work: stamper.run },
    ],
    metrics: (registry) => createStampMetrics(registry, db),
    close: stamper.close,
  };
}
