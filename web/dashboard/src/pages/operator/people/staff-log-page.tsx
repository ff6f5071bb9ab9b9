import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayRange } from '../../../api/day-range.ts';
import { useZone } from '../../../format/time-zone.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { changesOf } from './changes.ts';
import { type StaffEntry, useStaffLog } from './queries.ts';
import { StaffLogFilters } from './staff-log-filters.tsx';

/** What operators, and the command line, changed. */
export function StaffLogPage(): ReactNode {
  const [{ about, cursor, person, action, from, to }] = useOperatorSearch();
  const log = useStaffLog({ about, cursor, person, action, ...dayRange(from, to, useZone()) });
  const isFiltered = [about, person, action, from, to].some((each) => each !== undefined);
  return (
    <>
      <PageHeader
        title={t('Staff log')}
        description={t(
          'Everything that operators and the command line did: nothing of it is ever changed or removed. Under Security, what failed or was refused to anybody.',
        )}
      />
      <StaffLogFilters />
      <List
        list={log}
        caption={t('Staff log')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={ScrollText} title={isFiltered ? t('Nothing was found') : t('No entry yet')}>
            {t(
              'Approvals, suspensions, fees, terms of currencies and every mail that somebody opened will be listed here.',
            )}
          </EmptyState>
        }
      />
    </>
  );
}

const columns: Column<StaffEntry>[] = [
  { key: 'at', head: t('When'), cell: ({ at }) => <Time at={at} /> },
  {
    key: 'who',
    head: t('Who'),
    from: 'sm',
    cell: ({ actor }) => (
      <span className="grid">
        <span className="max-w-52 truncate">{actor.name}</span>
        {actor.address !== null && <span className="font-mono text-quiet">{actor.address}</span>}
      </span>
    ),
  },
  {
    key: 'what',
    head: t('What'),
    className: 'min-w-44',
    cell: ({ action, before, after, actor }) => (
      <span className="grid gap-0.5 py-1">
        <span className="font-semibold first-letter:uppercase">{ofGateway(action)}</span>
        <span className="text-quiet sm:hidden">{actor.name}</span>
        {changesOf(before, after).map(({ name, from, to }) => (
          <span key={name} className="wrap-anywhere text-quiet">
            {name}: {from !== undefined && <del className="text-quiet">{from}</del>}
            {from !== undefined && to !== undefined && ' → '}
            {to !== undefined && <ins className="text-ink no-underline">{to}</ins>}
          </span>
        ))}
      </span>
    ),
  },
  {
    key: 'subject',
    head: t('About'),
    align: 'end',
    from: 'lg',
    cell: ({ subject }) => (
      <span className="grid">
        {ofGateway(subject.kind)}
        {subject.name === null ? (
          <span className="font-mono text-quiet">{subject.id.slice(0, 8)}</span>
        ) : (
          <span className="max-w-52 truncate text-quiet" title={subject.id}>
            {subject.name}
          </span>
        )}
      </span>
    ),
  },
];
