import { CircleCheck, CircleOff, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type BackupView, useBackupFiles } from './queries.ts';

/** Every backup that was made, and attempts that failed. */
export function BackupFiles(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  return (
    <Section title={t('Files')}>
      <List
        list={useBackupFiles(cursor)}
        caption={t('Files of backups')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={CircleCheck} title={t('No backup was made yet')} />}
      />
    </Section>
  );
}

function State({
  backup: { fault, gone_at: gone, is_removed: isRemoved },
}: {
  backup: BackupView;
}): ReactNode {
  if (fault !== null)
    return (
      <Badge tone="lost" icon={CircleOff}>
        {t('Failed')}
      </Badge>
    );
  if (isRemoved) return <Badge icon={Trash2}>{t('Removed')}</Badge>;
  if (gone !== null)
    return (
      <Badge tone="waiting" icon={TriangleAlert}>
        {t('Not there any more')}
      </Badge>
    );
  return (
    <Badge tone="paid" icon={CircleCheck}>
      {t('Good')}
    </Badge>
  );
}

const kinds: Record<BackupView['kind'], string> = {
  scheduled: t('By the schedule'),
  ordered: t('Asked for'),
  command: t('By the command line'),
};

const columns: Column<BackupView>[] = [
  {
    key: 'file',
    head: t('File'),
    grow: true,
    className: 'whitespace-normal!',
    cell: ({ path, fault, place }) => (
      <span className="grid gap-0.5 py-1.5">
        <span className="font-mono wrap-anywhere">{path.slice(path.lastIndexOf('/') + 1)}</span>
        <span className={fault === null ? 'text-quiet wrap-anywhere' : 'text-lost wrap-anywhere'}>
          {fault ?? place}
        </span>
      </span>
    ),
  },
  { key: 'state', head: t('State'), cell: (backup) => <State backup={backup} /> },
  { key: 'at', head: t('Started'), from: 'sm', cell: ({ started_at }) => <Time at={started_at} /> },
  { key: 'kind', head: t('Why'), from: 'lg', cell: ({ kind }) => kinds[kind] },
  {
    key: 'bytes',
    head: t('Size'),
    align: 'end',
    from: 'sm',
    className: 'whitespace-nowrap',
    cell: ({ bytes }) => (bytes === null ? '–' : megabytes(bytes)),
  },
];

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
