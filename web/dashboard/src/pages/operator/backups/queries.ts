import { useQuery } from '@tanstack/react-query';
import type {
  BackupsView,
  BackupView,
} from '../../../../../../gateway/src/operations/backup-records/answers.ts';
import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';

export type { BackupsView, BackupView };
export type Drill = NonNullable<BackupsView['drill']>;

const root = '/console/operator';
const backupsPath = `${root}/backups`;
const watchMs = 5_000;

/** Read again every few seconds: a backup may begin or end at any time. */
export const useBackups = () =>
  useQuery({
    queryKey: [backupsPath],
    queryFn: ({ signal }) => api<BackupsView>(backupsPath, { signal }),
    refetchInterval: watchMs,
  });

export const useBackupFiles = (cursor: string | undefined) =>
  useList<BackupView>(`${backupsPath}/files`, { cursor });

export const useOrderBackup = () =>
  useAct(() => api(backupsPath, { method: 'POST' }), {
    changes: [backupsPath],
    done: t('The backup begins within seconds.'),
  });

export const useOrderDrill = () =>
  useAct(() => api(`${root}/drills`, { method: 'POST' }), {
    changes: [backupsPath],
    done: t('A backup is made and tried within seconds.'),
  });
