import type { Keep } from '../../config/backups.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { BackupPlace } from '../../operations/backup/places/place.ts';
import { backupsIn, noteGone } from '../../operations/backup-records/records.ts';
import { backupsToKeep } from '../../operations/backup-records/retention.ts';
import { backupFolder } from './make.ts';

/**
 * Removes the backups that BACKUP_KEEP keeps no longer, of those that this database made since it was last restored: others
 * in the same place may belong to another installation. Also notes those that somebody else removed.
 */
export async function retainBackups(
  reader: Reader,
  { place, keep, now }: { place: BackupPlace; keep: Keep; now: Date },
): Promise<void> {
  const recorded = await backupsIn(reader, place.name);
  const listed = new Set((await place.list(backupFolder)).map(({ path }) => path));
  const missing = recorded.filter(({ path }) => !listed.has(path));
  const there = recorded.filter(({ path }) => listed.has(path));
  const kept = backupsToKeep(there, keep);
  const old = there.filter((backup) => !kept.has(backup));
  await place.remove(old.map(({ path }) => path));
  const idsOf = (backups: typeof recorded): string[] => backups.map(({ id }) => id);
  await noteGone(reader, { ids: idsOf(missing), isRemoved: false, now });
  await noteGone(reader, { ids: idsOf(old), isRemoved: true, now });
}
