import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';

/** Why a backup was made: by the schedule, by a person in the dashboard, or by `florin backup`. */
export type BackupKind = 'scheduled' | 'ordered' | 'command';

/** One backup, or an attempt that failed. */
export type BackupRecord = {
  id: string;
  /** The place without secrets, and the name of the file in it. */
  place: string;
  path: string;
  kind: BackupKind;
  /** The version that made it. */
  florin: string;
  is_encrypted: boolean;
  started_at: Date;
  ended_at: Date;
  /** Of the file in the place; null: it failed. */
  bytes: bigint | null;
  sha256: string | null;
  /** Why it failed; null: it is good. */
  fault: string | null;
  /** Since when its file is not in the place; `is_removed`: because BACKUP_KEEP says so. */
  gone_at: Date | null;
  is_removed: boolean;
};

export type NewBackup = Omit<BackupRecord, 'id' | 'gone_at' | 'is_removed'>;

/** One backup that was loaded into a database of its own. */
export type DrillRecord = {
  place: string;
  path: string;
  started_at: Date;
  ended_at: Date;
  /** What does not agree, or why it could not be tried; null: all agrees. */
  fault: string | null;
  report: DrillReport | null;
  /** The outcome as one signed line. */
  line: string | null;
};

/** What a drill counted and compared. Units are integers of the asset's smallest part, as text. */
export type DrillReport = {
  tables: number;
  rows: number;
  accounts: number;
  entries: number;
  stamps: number;
  /** `live`: of the database at the moment of the backup; null: it was not compared. `held`: as networks last showed it. */
  sums: { mode: string; asset: string; kind: string; live: string | null; restored: string }[];
  held: { asset: string; owed: string; held: string; difference: string }[];
  findings: string[];
};

const backupColumns =
  'id, place, path, kind, florin, is_encrypted, started_at, ended_at, bytes, sha256, fault, gone_at, is_removed';

export async function recordBackup(reader: Reader, backup: NewBackup): Promise<string> {
  const id = newId(backup.started_at);
  await reader.query(
    `INSERT INTO backups (id, place, path, kind, florin, is_encrypted, started_at, ended_at, bytes, sha256, fault)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[id, backup.place, backup.path, backup.kind, backup.florin, backup.is_encrypted],
      ...[backup.started_at, backup.ended_at, backup.bytes, backup.sha256, backup.fault],
    ],
  );
  return id;
}

/** Whether the database has the tables of this file: one of an earlier version has not. */
export async function keepsBackups(reader: Reader): Promise<boolean> {
  const { rows } = await reader.query<{ kept: boolean }>(`SELECT to_regclass('drills') IS NOT NULL AS kept`);
  return rows[0]?.kept === true;
}

/** Failed attempts are kept for so long. */
const faultDays = 90;

/** The newest backups first, up to `limit`, before the backup `before`. */
export async function listBackups(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<BackupRecord[]> {
  const { rows } = await reader.query<BackupRecord>(
    `SELECT ${backupColumns} FROM backups WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** The good backups of a place that this database made since it was last restored, and whose files are there, the newest first. */
export async function backupsIn(reader: Reader, place: string): Promise<BackupRecord[]> {
  const { rows } = await reader.query<BackupRecord>(
    `SELECT ${backupColumns} FROM backups
     WHERE place = $1 AND fault IS NULL AND gone_at IS NULL
       AND started_at > (SELECT coalesce(max(restored_at), '-infinity') FROM treasury_restores)
     ORDER BY started_at DESC`,
    [place],
  );
  return rows;
}

/** Notes that files are not in the place any more, and forgets old failed attempts. */
export async function noteGone(
  reader: Reader,
  { ids, isRemoved, now }: { ids: readonly string[]; isRemoved: boolean; now: Date },
): Promise<void> {
  await reader.query('UPDATE backups SET gone_at = $2, is_removed = $3 WHERE id = ANY ($1)', [
    ids,
    now,
    isRemoved,
  ]);
  await reader.query('DELETE FROM backups WHERE fault IS NOT NULL AND started_at < $1', [
    after(now, -faultDays * 86_400),
  ]);
}

export async function recordDrill(reader: Reader, drill: DrillRecord): Promise<void> {
  await reader.query(
    `INSERT INTO drills (id, place, path, started_at, ended_at, fault, report, line)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[newId(drill.started_at), drill.place, drill.path, drill.started_at, drill.ended_at, drill.fault],
      ...[drill.report && JSON.stringify(drill.report), drill.line],
    ],
  );
}

/** The newest drill; null: there was none. */
export async function newestDrill(reader: Reader): Promise<DrillRecord | null> {
  const { rows } = await reader.query<DrillRecord>(
    `SELECT place, path, started_at, ended_at, fault, report, line FROM drills
     ORDER BY started_at DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

export type BackupTask = 'backup' | 'drill';

/** Notes that a person wants this soon. */
export async function orderTask(reader: Reader, task: BackupTask, now: Date): Promise<void> {
  await reader.query('UPDATE backup_tasks SET ordered_at = $2 WHERE task = $1', [task, now]);
}

/** The lease that is held while a backup is made or tried; it is extended every few seconds. */
export const backupLease = { name: 'backups', seconds: 60 };

export async function isBackupRunning(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM leases WHERE name = $1 AND held_until > now()', [
    backupLease.name,
  ]);
  return rowCount === 1;
}

/** What people have asked for. */
export async function orderedTasks(reader: Reader): Promise<Set<BackupTask>> {
  const { rows } = await reader.query<{ task: BackupTask }>(
    'SELECT task FROM backup_tasks WHERE ordered_at IS NOT NULL',
  );
  return new Set(rows.map(({ task }) => task));
}

/** To be called when the work begins: what is asked for later is done again. */
export async function takeOrders(reader: Reader): Promise<void> {
  await reader.query('UPDATE backup_tasks SET ordered_at = NULL WHERE ordered_at IS NOT NULL');
}

/**
 * Notes that operators get a mail of a missing task; false while the last one is younger than `everySeconds`. To be
 * called in the transaction that writes the mail.
 */
export async function noteMailed(
  reader: Reader,
  { task, now, everySeconds }: { task: BackupTask; now: Date; everySeconds: number },
): Promise<boolean> {
  const { rowCount } = await reader.query(
    'UPDATE backup_tasks SET mailed_at = $2 WHERE task = $1 AND (mailed_at IS NULL OR mailed_at <= $3)',
    [task, now, after(now, -everySeconds)],
  );
  return rowCount === 1;
}
