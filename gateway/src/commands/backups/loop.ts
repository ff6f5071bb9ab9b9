import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BackupsConfig } from '../../config/backups.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, openDatabase, type Reader } from '../../kit/db/db.ts';
import { leaveLease, takeLease } from '../../kit/db/lease.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import type { Seal } from '../../kit/seal.ts';
import type { BackupPlace } from '../../operations/backup/places/place.ts';
import {
  type BackupTask,
  backupLease,
  orderedTasks,
  recordBackup,
  recordDrill,
  takeOrders,
} from '../../operations/backup-records/records.ts';
import {
  type BackupState,
  backupFaults,
  isDrillDue,
  nextBackupAt,
  readBackupState,
} from '../../operations/backup-records/schedule.ts';
import { mailBackupFaults } from './alert.ts';
import { tryBackup } from './drill.ts';
import { digestIn, failedBackup, type Made, type Making, makeBackup, type Trial } from './make.ts';
import { drillRecord } from './outcome.ts';
import { retainBackups } from './retain.ts';

export type BackupDeps = {
  config: BackupsConfig;
  place: BackupPlace;
  /** The serving role, for records. */
  db: Database;
  /** The role that backups are read by, and which makes the database of a drill. */
  owner: pg.PoolConfig;
  migrations: Migration[];
  seal: Seal;
  dataDir: string;
  baseUrl: string;
  florin: string;
  log: Logger;
  now: Clock;
};

export type Backups = {
  /** Makes and tries what is due or asked for, in one process of the installation at a time. */
  run(): Promise<void>;
  /** Aborts what is under way. */
  close(): void;
};

export function createBackups(deps: BackupDeps): Backups {
  const { config, place, db, now } = deps;
  const holder = randomUUID();
  const ending = new AbortController();

  async function dueNow(): Promise<{ state: BackupState; orders: Set<BackupTask>; isDue: boolean }> {
    const state = await readBackupState(db, place.name);
    const orders = await orderedTasks(db);
    return { state, orders, isDue: orders.size > 0 || nextBackupAt(state, config.atMinute, now()) <= now() };
  }

  async function run(): Promise<void> {
    const { state, isDue } = await dueNow();
    const faults = backupFaults(state, config, now());
    await mailBackupFaults(db, faults, { baseUrl: deps.baseUrl, now: now() });
    if (!isDue || ending.signal.aborted) return;
    await withBackupLease(db, holder, async () => {
      // Another process may have made it just before.
      const { isDue: isStillDue, ...due } = await dueNow();
      if (isStillDue) await runOnce(deps, due, ending.signal);
    });
  }

  return { run, close: () => ending.abort() };
}

/** Does the work under the lease of backups, however long it takes; false where another process holds the lease. */
export async function withBackupLease(
  reader: Reader,
  holder: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const terms = { ...backupLease, holder };
  if (!(await takeLease(reader, terms))) return false;
  const beat = setInterval(() => void takeLease(reader, terms).catch(() => {}), (terms.seconds * 1000) / 4);
  try {
    await work();
    return true;
  } finally {
    clearInterval(beat);
    await leaveLease(reader, terms).catch(() => {});
  }
}

type Due = { state: BackupState; orders: Set<BackupTask> };

async function runOnce(deps: BackupDeps, { state, orders }: Due, signal: AbortSignal): Promise<void> {
  const { config, place, db, log, now, florin } = deps;
  const startedAt = now();
  const owner = openDatabase(deps.owner, 2);
  const kind = orders.size > 0 ? 'ordered' : 'scheduled';
  try {
    await takeOrders(db);
    // One that is due and cannot be tried here waits for a gateway that can; of one that was asked for, its fault says why.
    const isTried =
      orders.has('drill') || (isDrillDue(state, config.drillDays, startedAt) && (await mayTry(owner)));
    const drill = isTried ? createTrial(deps) : null;
    const making: Making = {
      ...{ db: owner, config, place, florin, kind, now, signal, onProgress: () => {} },
      trial: drill?.trial ?? null,
    };
    const made = await makeBackup(making).catch((error: Error) => error);
    // What the end of the gateway aborted is made after the next start.
    if (signal.aborted && made instanceof Error) return;
    if (made instanceof Error) {
      log.error({ fault: made.message }, 'a backup failed and will be tried again');
      await recordBackup(db, failedBackup({ config, florin, kind, now }, startedAt, made));
      return;
    }
    await keep(deps, made);
    await drill?.record(made);
  } finally {
    await owner.end();
  }
}

async function keep({ db, place, config, log, now }: BackupDeps, { backup }: Made): Promise<void> {
  await recordBackup(db, backup);
  log.info({ backup: `${place.name}/${backup.path}`, bytes: `${backup.bytes}` }, 'a backup was made');
  await retainBackups(db, { place, keep: config.keep, now: now() }).catch((error: Error) => {
    log.warn({ fault: error.message }, 'old backups could not be removed');
  });
}

/** Whether this role can make the database that a backup is tried in. */
async function mayTry(owner: Database): Promise<boolean> {
  const { rows } = await owner.query<{ may: boolean }>(
    'SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
  );
  return rows[0]?.may === true;
}

/** Tries a backup while it is made, and records the outcome when the place has it. */
function createTrial(deps: BackupDeps): { trial: Trial; record(made: Made): Promise<void> } {
  const { owner, migrations, place, db, seal, dataDir, log, now } = deps;
  const startedAt = now();
  let found: Awaited<ReturnType<typeof tryBackup>> | null = null;
  let fault: string | null = 'the backup was not tried';
  return {
    async trial(archive, live) {
      try {
        found = await tryBackup(archive, { owner, migrations, live });
        fault = null;
      } catch (error) {
        fault = (error as Error).message;
        throw error;
      }
    },
    async record({ backup: { path, sha256 } }) {
      const placed = await digestIn(place, path).catch((error: Error) => error.message);
      if (placed !== sha256) {
        const why = `what lies in ${place.name} as ${path} is not what was written: ${placed}`;
        if (found) found.findings.push(why);
        else fault ??= why;
      }
      const outcome = { place: place.name, path, sha256, started_at: startedAt, ended_at: now() };
      const record = await drillRecord({ ...outcome, report: found, fault }, { seal, dataDir });
      await recordDrill(db, record);
      const level = record.fault === null ? 'info' : 'error';
      log[level](
        { drill: record.line },
        record.fault === null ? 'a backup was tried' : 'a backup failed its trial',
      );
    },
  };
}
