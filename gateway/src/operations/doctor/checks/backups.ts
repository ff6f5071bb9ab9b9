import { placeName } from '../../../config/backups.ts';
import type { Config } from '../../../config/config.ts';
import { type BackupFault, backupFaults, readBackupState } from '../../backup-records/schedule.ts';
import { keepsWal, walFault, walStateOf } from '../../wal/state.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const findingOf = {
  backup_missing: 'missing',
  drill_failed: 'drill_failed',
  drill_missing: 'drill_missing',
} as const satisfies Record<BackupFault['what'], string>;

/** Whether backups are made by themselves, encrypted and tried, and how old the newest good one is. */
export const checkBackups: Check = async ({ db, config, isMigrated, now }) => {
  const { backups } = config;
  if (!backups) return [found('backups', 'none')];
  const plain = backups.recipients.length === 0 ? [found('backups', 'plain')] : [];
  const behind = await findWalBehind(config, now());
  if (!db || !(await isMigrated())) return [...behind, ...plain];
  const state = await readBackupState(db, placeName(backups.to));
  const faults = backupFaults(state, backups, now());
  if (faults.length > 0)
    return [
      ...faults.map(({ what, since, why }) =>
        found('backups', findingOf[what], `since ${since.toISOString()}${why === null ? '' : `: ${why}`}`),
      ),
      ...behind,
      ...plain,
    ];
  if (behind.length > 0) return [...behind, ...plain];
  const { last_good_at: last } = state;
  if (last === null) return [found('backups', 'not_yet'), ...plain];
  return [found('backups', 'ok', `the newest good one is of ${last.toISOString()}`), ...plain];
};

/** Whether the WAL of an embedded database lies on this machine alone for too long. */
async function findWalBehind(config: Config, now: Date): Promise<Finding[]> {
  const state = keepsWal(config) ? await walStateOf(config.dataDir) : null;
  const fault = state && walFault(state, now);
  if (!fault) return [];
  const why = fault.why === null ? '' : `: ${fault.why}`;
  return [found('backups', 'wal_behind', `since ${fault.since.toISOString()}${why}`)];
}
