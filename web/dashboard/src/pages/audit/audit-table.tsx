import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import type { AuditEntry } from './entry.ts';

export type AuditTableProps = {
  caption: string;
  entries: AuditEntry[];
  /** The id of the open entry, from the address. */
  open: string | undefined;
  /** The name of an integration by its id; without it the column is left out. */
  integrationName?: (id: string) => string;
  footer?: ReactNode;
  stale?: boolean;
};

/** Entries of an audit log; a press on one opens it. The page keeps its id in `open` of its search. */
export function AuditTable(props: AuditTableProps): ReactNode {
  const { caption, entries, open, integrationName, footer, stale = false } = props;
  const navigate = useNavigate();
  const chosen = entries.find(({ id }) => id === open);
  return (
    <>
      <Table
        caption={caption}
        columns={
          integrationName
            ? [...columns, integrationColumn(integrationName), fromColumn]
            : [...columns, fromColumn]
        }
        rows={entries}
        rowKey={({ id }) => id}
        selected={open}
        stale={stale}
        footer={footer}
      />
      {chosen && (
        <AuditDrawer
          entry={chosen}
          {...(integrationName ? { integrationName } : {})}
          onClose={() => void navigate({ to: '.', search: withoutOpen, resetScroll: false })}
        />
      )}
    </>
  );
}

function withoutOpen({ open: _, ...search }: { open?: string }): object {
  return search;
}

const columns: Column<AuditEntry>[] = [
  {
    key: 'action',
    head: t('What'),
    className: 'min-w-44',
    cell: ({ id, action, actor, at }) => (
      <div className="grid gap-0.5 py-1.5">
        <Link
          to="."
          search={(search: object) => ({ ...search, open: id })}
          resetScroll={false}
          className="row-link font-semibold first-letter:uppercase"
        >
          {ofGateway(action)}
        </Link>
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
