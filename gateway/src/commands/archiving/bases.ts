import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Cluster } from '../../kit/postgres/postgres-cluster.ts';
import type { BackupPlace } from '../../operations/backup/places/place.ts';
import { nextBackupAt } from '../../operations/backup-records/schedule.ts';
import type { WalArchive } from '../../operations/wal-archive/archive.ts';
import { makeBase } from '../../operations/wal-archive/base.ts';
import { removeBase, retainBases } from '../../operations/wal-archive/retain.ts';

export type BasesDeps = {
  archive: WalArchive;
  cluster: Cluster;
  owner: pg.PoolConfig;
  place: BackupPlace;
  recipients: readonly string[];
  /** When one is made each day, in minutes after midnight in UTC. */
  atMinute: number;
  /** To any moment of so many days the database can be recovered. */
  days: number;
  florin: string;
  log: Logger;
  now: Clock;
};

export type Bases = {
  /** Makes a base backup when one is due: at the beginning of a run, and each day. */
  run(): Promise<void>;
  /** Aborts what is under way. */
  close(): void;
};

export function createBases({ atMinute, days, ...deps }: BasesDeps): Bases {
  const { archive, cluster, place, log, now } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  let failures = 0;
  let failedAt: Date | null = null;

  async function run(): Promise<void> {
    const state = archive.state();
    // A place that is away would not take it either.
    if (state === null || state.fault !== null || signal.aborted) return;
    const last = state.bases.findLast((base) => base.run === state.run);
    const lastGood = last ? new Date(last.started_at) : null;
    const due = nextBackupAt({ last_good_at: lastGood, failures, last_failed_at: failedAt }, atMinute, now());
    if (due > now()) return;
    if (state.making !== null) await removeLeft(state.making);
    try {
      const postgres = (await readFile(join(cluster.data, 'PG_VERSION'), 'utf8')).trim();
      const base = await makeBase({ ...deps, postgres, signal });
      await keep(base);
      failures = 0;
    } catch (error) {
      // What the end of the gateway aborted is made after the next start.
      if (signal.aborted) return;
      failures++;
      failedAt = now();
      log.error({ fault: (error as Error).message }, 'a base backup failed and will be tried again');
    }
  }

  async function keep(base: Awaited<ReturnType<typeof makeBase>>): Promise<void> {
    const state = archive.state();
    const until = state && state.kept_until > base.ended_at ? state.kept_until : base.ended_at;
    await archive.change({ bases: [...(state?.bases ?? []), base], making: null, kept_until: until });
    log.info({ base: `${place.name}/${base.folder}`, bytes: base.bytes }, 'a base backup was made');
    await retainBases({ place, archive }, { days, now: now() }).catch((error: Error) => {
      log.warn({ fault: error.message }, 'old base backups and WAL could not be removed');
    });
  }

  async function removeLeft(folder: string): Promise<void> {
    await removeBase(place, folder);
    await archive.change({ making: null });
  }

  return { run, close: () => ending.abort() };
}
