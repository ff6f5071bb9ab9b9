import { getRouteApi, Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Page } from '../../../api/list.ts';
import { t } from '../../../texts/t.ts';
import { Pagination } from '../../../ui/display/pagination.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import type { Applicant } from './queries.ts';

const route = getRouteApi('/shell/operator/approvals');

const columns: Column<Applicant>[] = [
  {
    key: 'name',
    head: t('Integration'),
    className: 'sm:whitespace-nowrap',
    cell: (row) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: row.id })}
        className="row-link font-semibold wrap-anywhere"
      >
        {row.name}
      </Link>
    ),
  },
  {
    key: 'merchant',
    head: t('Business'),
    className: 'sm:whitespace-nowrap',
    cell: ({ merchant }) => merchant?.name ?? <span className="text-quiet">{t('None')}</span>,
  },
  {
    key: 'domain',
    head: t('Domain'),
    from: 'md',
    grow: true,
    cell: ({ domain, domain_verified: verified }) => (
      <span className="flex min-w-0 items-center gap-1">
        {verified && <BadgeCheck size={15} className="shrink-0 text-paid" aria-hidden />}
        <span className="truncate">{domain ?? '–'}</span>
        {domain !== null && !verified && <span className="text-quiet">{t('(not verified)')}</span>}
      </span>
    ),
  },
  {
    key: 'state',
    head: t('State'),
    from: 'sm',
    cell: ({ approval }) => <ApprovalBadge approval={approval} />,
  },
  {
    key: 'since',
    head: t('Since'),
    cell: ({ approval, requested_at, decided_at, created_at }) => (
      <Time at={(approval === 'requested' ? requested_at : decided_at) ?? created_at} />
    ),
  },
];

type ApplicantsTableProps = { page: Page<Applicant>; cursor: string | undefined; stale: boolean };

export function ApplicantsTable({ page, cursor, stale }: ApplicantsTableProps): ReactNode {
  const { open } = route.useSearch();
  return (
    <Table
      caption={t('Integrations')}
      columns={columns}
      rows={page.items}
      rowKey={({ id }) => id}
      selected={open}
      stale={stale}
      {...(cursor !== undefined || page.next_cursor !== null
        ? { footer: <Pagination cursor={cursor} next={page.next_cursor} /> }
        : {})}
    />
  );
}
