import type { ReactNode } from 'react';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { List, type ListProps } from '../../ui/list/list.tsx';
import { RowLink } from '../../ui/list/row-link.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import type { AuditEntry } from './entry.ts';

type AuditListProps = Pick<ListProps<AuditEntry>, 'list' | 'caption' | 'empty'> & {
  /** The name of an integration by its id; without it the column is left out. */
  integrationName?: (id: string) => string;
};

/** Entries of an audit log; a press on one opens it. */
export function AuditList({ integrationName, ...list }: AuditListProps): ReactNode {
  return (
    <List
      {...list}
      columns={
        integrationName
          ? [...columns, integrationColumn(integrationName), fromColumn]
          : [...columns, fromColumn]
      }
      rowKey={({ id }) => id}
      detail={(entry, onClose) => (
        <AuditDrawer entry={entry} {...(integrationName ? { integrationName } : {})} onClose={onClose} />
      )}
    />
  );
}

const columns: Column<AuditEntry>[] = [
  {
    key: 'action',
    head: t('What'),
    className: 'min-w-44',
    cell: ({ id, action, actor, at }) => (
      <div className="grid gap-0.5 py-1.5">
        <RowLink open={id} replace={false} className="font-semibold first-letter:uppercase">
          {ofGateway(action)}
        </RowLink>
        <span className="text-quiet wrap-anywhere sm:hidden">
          {actor.name} · <Time at={at} />
        </span>
      </div>
    ),
  },
  {
    key: 'who',
    head: t('Who'),
    from: 'sm',
    cell: ({ actor }) => (
      <span className="flex items-center gap-2">
        <span className="max-w-64 truncate" title={actor.name}>
          {actor.name}
        </span>
        {actor.as_operator && <Badge>{t('Staff')}</Badge>}
      </span>
    ),
  },
  { key: 'at', head: t('When'), from: 'sm', cell: ({ at }) => <Time at={at} /> },
];

const fromColumn: Column<AuditEntry> = {
  key: 'from',
  head: t('From'),
  from: 'md',
  cell: ({ actor }) => <span className="text-quiet tabular-nums">{actor.address ?? '–'}</span>,
};

function integrationColumn(nameOf: (id: string) => string): Column<AuditEntry> {
  return {
    key: 'integration',
    head: t('Integration'),
    from: 'lg',
    cell: ({ integration_id }) => (
      <span className="block max-w-48 truncate">
        {integration_id === null ? '–' : nameOf(integration_id)}
      </span>
    ),
  };
}
