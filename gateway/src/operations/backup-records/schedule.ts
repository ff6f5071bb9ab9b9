import { type BackupsConfig, placeName } from '../../config/backups.ts';
import { after, earlierOf } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';

/** What the schedule follows from, of one place. */
export type BackupState = {
  /** When the newest good backup began; null: there is none. */
  last_good_at: Date | null;
  /** Attempts that failed since: how many, and when the first began and the last ended. */
  failures: number;
  first_failed_at: Date | null;
  last_failed_at: Date | null;
  last_fault: string | null;
  /** The newest good drill, and the newest one of all. */
  last_good_drill_at: Date | null;
  last_drill_at: Date | null;
  last_drill_fault: string | null;
  /** When the first backup to this place began, good or not. */
  first_at: Date | null;
};

const stateSql = `
WITH good AS (SELECT max(started_at) AS at FROM backups WHERE place = $1 AND fault IS NULL),
failed AS (
  SELECT started_at, ended_at, fault FROM backups, good
  WHERE place = $1 AND fault IS NOT NULL AND (good.at IS NULL OR started_at > good.at)
)
SELECT good.at AS last_good_at, (SELECT count(*)::int FROM failed) AS failures,
  (SELECT min(started_at) FROM failed) AS first_failed_at, (SELECT max(ended_at) FROM failed) AS last_failed_at,
  (SELECT fault FROM failed ORDER BY started_at DESC LIMIT 1) AS last_fault,
  (SELECT max(started_at) FROM drills WHERE fault IS NULL) AS last_good_drill_at,
  (SELECT max(started_at) FROM drills) AS last_drill_at,
  (SELECT fault FROM drills ORDER BY started_at DESC LIMIT 1) AS last_drill_fault,
  (SELECT min(started_at) FROM backups WHERE place = $1) AS first_at
FROM good`;

export async function readBackupState(reader: Reader, place: string): Promise<BackupState> {
  return oneRow(await reader.query<BackupState>(stateSql, [place]), 'state of the backups');
}

const daySeconds = 86_400;
/** Pauses after failed attempts: a minute, then twice as long each time. */
const firstPauseSeconds = 60;
const longestPauseSeconds = 3_600;

/** The last time of day `minute` (UTC) that is not after `now`. */
function slotBefore(now: Date, minute: number): Date {
  const midnight = new Date(now);
  midnight.setUTCHours(0, 0, 0, 0);
  const slot = after(midnight, minute * 60);
  return slot <= now ? slot : after(slot, -daySeconds);
}

/** When the next backup by the schedule is to begin; a time that has passed: now. */
export function nextBackupAt(
  state: Pick<BackupState, 'last_good_at' | 'failures' | 'last_failed_at'>,
  atMinute: number,
  now: Date,
): Date {
  const slot = slotBefore(now, atMinute);
  const { last_good_at: lastGood, failures, last_failed_at: lastFailed } = state;
  if (lastGood !== null && lastGood >= slot) return after(slot, daySeconds);
  if (failures === 0 || lastFailed === null) return slot;
  const pause = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 20));
  return after(lastFailed, pause);
}

/** Since when a backup is missing: the first time of the schedule without one; null: none is. */
export function missingSince(state: BackupState, atMinute: number, now: Date): Date | null {
  const { last_good_at: lastGood, first_failed_at: firstFailed } = state;
  if (lastGood === null) return firstFailed;
  const due = after(slotBefore(lastGood, atMinute), daySeconds);
  return due <= now ? due : null;
}

/** A little less than the days of BACKUP_DRILL, so that the drill stays at the time of its backup. */
const earlySeconds = daySeconds / 2;

/** Whether the next backup is to be tried. */
export function isDrillDue(state: BackupState, drillDays: number, now: Date): boolean {
  if (drillDays === 0) return false;
  const { last_good_drill_at: last } = state;
  return last === null || after(last, drillDays * daySeconds - earlySeconds) <= now;
}

/** A backup that is missing for so long is a fault; a drill when it is so much later than BACKUP_DRILL says. */
const missedSeconds = 6 * 3_600;
const lateDrillSeconds = daySeconds;

/** What operators should look at. `since`: when it began. */
export type BackupFault = {
  what: 'backup_missing' | 'drill_failed' | 'drill_missing';
  since: Date;
  why: string | null;
};

/** The faults of scheduled backups; empty: all is well. */
export function backupFaults(state: BackupState, config: BackupsConfig, now: Date): BackupFault[] {
  const missing = missingSince(state, config.atMinute, now);
  const faults: BackupFault[] = [];
  if (missing !== null && after(missing, missedSeconds) <= now)
    faults.push({ what: 'backup_missing', since: missing, why: state.last_fault });
  if (config.drillDays === 0) return faults;
  const {
    last_drill_at: lastDrill,
    last_drill_fault: why,
    last_good_drill_at: lastGood,
    first_at: first,
  } = state;
  const from = lastGood ?? first;
  if (lastDrill !== null && why !== null) faults.push({ what: 'drill_failed', since: lastDrill, why });
  else if (from !== null && after(from, config.drillDays * daySeconds + lateDrillSeconds) <= now) {
    const since = earlierOf(now, after(from, config.drillDays * daySeconds));
    faults.push({ what: 'drill_missing', since, why: null });
  }
  return faults;
}

/** How many faults there are; 0 where there are no scheduled backups. */
export async function countBackupFaults(
  reader: Reader,
  config: BackupsConfig | null,
  now: Date,
): Promise<number> {
  if (config === null) return 0;
  return backupFaults(await readBackupState(reader, placeName(config.to)), config, now).length;
}
