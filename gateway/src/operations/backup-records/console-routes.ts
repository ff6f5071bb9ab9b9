import { Type } from 'typebox';
import { type BackupsConfig, placeName } from '../../config/backups.ts';
import type { Config } from '../../config/config.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { installationKey } from '../../kit/installation-key.ts';
import type { Seal } from '../../kit/seal.ts';
import { smallNumber } from '../../money/small-number.ts';
import { keepsWal, walFault, walStateOf } from '../wal/state.ts';
import { BackupPage, BackupsView } from './answers.ts';
import {
  type BackupTask,
  isBackupRunning,
  listBackups,
  newestDrill,
  orderedTasks,
  orderTask,
} from './records.ts';
import { backupFaults, nextBackupAt, readBackupState } from './schedule.ts';

export type BackupConsoleDeps = {
  db: Database;
  /** Null: there are no scheduled backups. */
  backups: BackupsConfig | null;
  config: Config;
  seal: Seal;
  now: Clock;
};

const readPage = queryReader(Type.Object(pageFields));
const noKeep = { days: 0, weeks: 0, months: 0 };

/** The backups of this installation, and the two things that an operator may ask for. */
export function backupConsoleRoutes(dashboard: Console, deps: BackupConsoleDeps): void {
  const { db, backups, config, seal, now } = deps;
  dashboard.get('operator', '/backups', { answer: BackupsView }, async () => {
    const at = now();
    const state = backups && (await readBackupState(db, placeName(backups.to)));
    const data = {
      place: backups && placeName(backups.to),
      is_bucket: backups?.to.kind === 's3',
      is_encrypted: (backups?.recipients.length ?? 0) > 0,
      next_at: backups && state && nextBackupAt(state, backups.atMinute, at),
      last_good_at: state?.last_good_at ?? null,
      keep: backups?.keep ?? noKeep,
      drill_days: backups?.drillDays ?? 0,
      is_running: await isBackupRunning(db),
      ordered: [...(await orderedTasks(db))],
      faults: backups && state ? backupFaults(state, backups, at) : [],
      archive: await archiveOf(config, at),
      drill: await newestDrill(db),
      drill_key: installationKey(seal),
    };
    return { message: 'Backups', data };
  });

  dashboard.get('operator', '/backups/files', { answer: BackupPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => listBackups(db, rows));
    const items = page.items.map(({ bytes, ...backup }) => ({
      ...backup,
      bytes: bytes === null ? null : smallNumber(bytes),
    }));
    return { message: 'Files of backups', data: { items, next_cursor: page.next_cursor } };
  });

  const order = async (tx: Tx, task: BackupTask, change: { action: string }) => {
    if (backups === null) throw refuse(kitErrors.not_found);
    await orderTask(tx, task, now());
    return { message: 'Asked for', data: null, change: { ...change, subject: { kind: 'backup', id: task } } };
  };
  dashboard.write('POST', 'operator', '/backups', { answer: Nothing }, (tx) =>
    order(tx, 'backup', { action: 'asked for a backup' }),
  );
  dashboard.write('POST', 'operator', '/drills', { answer: Nothing }, (tx) =>
    order(tx, 'drill', { action: 'asked to try a backup' }),
  );
}

async function archiveOf(config: Config, now: Date): Promise<BackupsView['archive']> {
  const state = keepsWal(config) ? await walStateOf(config.dataDir) : null;
  if (state === null) return null;
  return { kept_until: state.kept_until, is_behind: walFault(state, now) !== null, fault: state.fault };
}
