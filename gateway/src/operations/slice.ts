import type { Config } from '../config/config.ts';
import type { Console } from '../identity/console/console.ts';
import type { Database } from '../kit/db/db.ts';
import { isMigrated, type Migration } from '../kit/db/migrate.ts';
import type { Aged } from '../kit/db/standby/aged.ts';
import type { Loops } from '../kit/loop.ts';
import type { Slice } from '../kit/slice.ts';
import { type AttentionDeps, attentionConsoleRoutes } from './attention/console-routes.ts';
import { type BackupConsoleDeps, backupConsoleRoutes } from './backup-records/console-routes.ts';
import { createBackupMetrics } from './backup-records/metrics.ts';
import { type HealthDeps, healthConsoleRoutes } from './console-routes.ts';
import { roleWarning } from './database.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import type { Examined } from './doctor/checks/context.ts';
import { type QuestionDeps, questionRoutes } from './doctor/checks/questions.ts';
import { type DoctorConsoleDeps, doctorConsoleRoutes } from './doctor/console-routes.ts';
import { createDoctorMetrics } from './doctor/metrics.ts';
import { createDoctorWatch, type DoctorWatchDeps } from './doctor/watch.ts';
import { healthRoutes } from './health.ts';
import { createHeartbeat, type HeartbeatDeps, heartbeatMs } from './heartbeat.ts';
import { type SecurityTxt, securityTxtRoutes } from './security-txt.ts';
import { createStampMetrics } from './stamps/metrics.ts';
import { createStamper, type StamperDeps } from './stamps/stamper.ts';
import { createStandbyMetrics } from './standby-metrics.ts';
import { createWalMetrics } from './wal/metrics.ts';
import { keepsWal } from './wal/state.ts';

export type OperationDeps = StamperDeps &
  HealthDeps &
  AttentionDeps &
  BackupConsoleDeps &
  Pick<HeartbeatDeps, 'masterKeys'> &
  SecurityTxt &
  QuestionDeps &
  Omit<DoctorConsoleDeps & DoctorWatchDeps, 'examined'> & {
    config: Config;
    migrations: Migration[];
    loops: Loops;
    aged: Aged;
  };

/** Health and readiness of the installation, and the hash chain over the audit log and the ledger. */
export function createOperations(deps: OperationDeps): Slice<Console> {
  const { db, migrations, loops, aged } = deps;
  const stamper = createStamper(deps);
  const doctor = { ...deps, examined: examinedOf(deps) };
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
        doctorConsoleRoutes(dashboard, doctor);
        backupConsoleRoutes(dashboard, deps);
      },
    },
    loops: [
      {
        name: 'heartbeat',
        everyMs: heartbeatMs,
        work: createHeartbeat({ ...deps, loops: loops.all }),
        isOwn: true,
      },
      // The memory of what standbys have; the gateway starts without them.
      ...(deps.config.standby
        ? [{ name: 'standby', everyMs: 1_000, work: aged.look, isOwn: true, isOptional: true }]
        : []),
      { name: 'stamps', everyMs: 1_000, work: stamper.run },
      { name: 'doctor', everyMs: 60_000, work: createDoctorWatch(doctor), isOptional: true },
    ],
    metrics: (registry) => {
      createStampMetrics(registry, db);
      createBackupMetrics(registry, db, deps.backups);
      createWalMetrics(registry, keepsWal(deps.config) ? deps.config.dataDir : null, deps.now);
      createDoctorMetrics(registry, db);
      createDatabaseMetrics(registry, db);
      createStandbyMetrics(registry, aged);
    },
    close: stamper.close,
  };
}

/** What this gateway shows to the checks of the doctor. The role that serves an embedded database is always a narrow one. */
function examinedOf({
  config,
  db,
  migrations,
}: {
  config: Config;
  db: Database;
  migrations: Migration[];
}): Omit<Examined, 'db' | 'databaseFault' | 'now'> {
  return {
    config,
    isMigrated: () => isMigrated(db, migrations),
    roleWarning: async () => (config.database.kind === 'external' ? await roleWarning(db) : null),
  };
}
