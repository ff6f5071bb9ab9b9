import type { Clock } from '../../clock.ts';
import { Refusal } from '../../errors.ts';
import { type Database, isUnavailable } from '../db.ts';
import { oneRow } from '../one-row.ts';
import { serversOf } from '../servers.ts';
import { codeOf } from '../system-errors.ts';
import { marksSql, openHost, type StandbyFault, type StandbyHost } from './host.ts';
import { createMoments } from './moments.ts';

/** The address of the standby, or of several, and how old their data may be. */
export type StandbyTerms = { url: string; maxAgeSeconds: number };

/** `changed`: somebody has just changed something and sees the primary; `failed`: the standby did, on the way. */
export const agedPlaces = ['standby', 'changed', 'unfit', 'failed'] as const;
type AgedPlace = (typeof agedPlaces)[number];

/** How a standby is. `ageSeconds`: how old its data are; null: not known, or more than is remembered. */
type StandbyState = { host: string; fault: StandbyFault | null; ageSeconds: number | null };

/** Runs on `db` what a list, a chart or an export reads: data as of `asOf`. It may run a second time on another database. */
type AgedWork<T> = (db: Database, asOf: Date) => Promise<T>;

/** Reads that may be some seconds old, and say how old they are. Nothing that decides about money is read here. */
export type Aged = {
  /**
   * Reads from a standby, or from the primary where no standby is fit, where it fails, or where `isChanged` says that
   * somebody has changed something in the last so many seconds, which the standby may not have.
   */
  read<T>(isChanged: (withinSeconds: number) => Promise<boolean>, work: AgedWork<T>): Promise<Read<T>>;
  /** Asks the primary and the standbys what they have. */
  look(): Promise<void>;
  /** Each standby; none are configured: empty. */
  states(): StandbyState[];
  /** How many reads were served by the standby, and by the primary for each reason. */
  counts(): Readonly<Record<AgedPlace, number>>;
  close(): Promise<void>;
};

/** What was read, as of when, and whether by a standby. */
type Read<T> = { found: T; asOf: Date; isFromStandby: boolean };

export type AgedDeps = { db: Database; now: Clock };

/** A change is committed at most so long after the time that it is noted with. */
const longestCommitSeconds = 30;
const answerMs = 3_000;

const momentSql = `SELECT pg_postmaster_start_time()::text AS server,
  pg_current_wal_flush_lsn() - '0/0'::pg_lsn AS lsn, ${marksSql} AS marks`;

/** Null as `terms`: all is read from the primary. */
export function openAged({ db, now }: AgedDeps, terms: StandbyTerms | null): Aged {
  const { maxAgeSeconds } = terms ?? { maxAgeSeconds: 0 };
  const moments = createMoments((maxAgeSeconds + longestCommitSeconds) * 1000);
  const hosts = terms ? serversOf(terms.url, 'standby').map((url) => openHost(url, moments, answerMs)) : [];
  const counts: Record<AgedPlace, number> = { standby: 0, changed: 0, unfit: 0, failed: 0 };

  const ageOf = (host: StandbyHost): number | null => {
    const reachedMs = host.reachedMs();
    return reachedMs === null ? null : (performance.now() - reachedMs) / 1000;
  };
  const faultOf = (host: StandbyHost): StandbyFault | null =>
    host.fault() ?? ((ageOf(host) ?? Number.POSITIVE_INFINITY) > maxAgeSeconds ? 'behind' : null);

  async function fromStandby<T>(
    isChanged: (withinSeconds: number) => Promise<boolean>,
    work: AgedWork<T>,
  ): Promise<Read<T> | AgedPlace | null> {
    const host = hosts.find((each) => faultOf(each) === null);
    const ageSeconds = host && ageOf(host);
    if (!host || ageSeconds === null || ageSeconds === undefined) return 'unfit';
    const asOf = new Date(now().getTime() - ageSeconds * 1000);
    if (await isChanged(maxAgeSeconds + longestCommitSeconds)) return 'changed';
    try {
      return { found: await work(host.db, asOf), asOf, isFromStandby: true };
    } catch (error) {
      // It is the same on the primary, or came from data that are old.
      if (error instanceof Refusal) return null;
      if (isUnavailable(error) || codeOf(error) === statementTimeout) host.leave();
      return 'failed';
    }
  }

  return {
    async read(isChanged, work) {
      const outcome = hosts.length > 0 ? await fromStandby(isChanged, work) : null;
      if (outcome !== null && typeof outcome === 'object') {
        counts.standby += 1;
        return outcome;
      }
      if (outcome !== null) counts[outcome] += 1;
      const asOf = now();
      return { found: await work(db, asOf), asOf, isFromStandby: false };
    },
    async look() {
      const atMs = performance.now();
      // Before the standbys are asked: what they have then, they have at least as of this moment.
      await db
        .query<{ server: string; lsn: bigint; marks: string[] }>(momentSql)
        .then((found) => moments.note({ atMs, ...oneRow(found, 'place in the log') }))
        .catch(() => {});
      await Promise.all(hosts.map((host) => host.look()));
    },
    states: () => hosts.map((host) => ({ host: host.name, fault: faultOf(host), ageSeconds: ageOf(host) })),
    counts: () => counts,
    async close() {
      await Promise.all(hosts.map((host) => host.close()));
    },
  };
}

const statementTimeout = '57014';
