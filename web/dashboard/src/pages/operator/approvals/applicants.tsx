import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Approval } from '../../../api/session.ts';
import { t } from '../../../texts/t.ts';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type Applicant, useApplicants } from './queries.ts';

const columns: Column<Applicant>[] = [
  {
    key: 'name',
    head: t('Integration'),
    className: 'sm:whitespace-nowrap',
    cell: (row) => (
      <>
        <RowLink open={row.id} replace={false} className="font-semibold wrap-anywhere">
          {row.name}
        </RowLink>
        {row.lacks_own_address && <span className="block text-quiet">{t('No own address')}</span>}
      </>
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

type ApplicantsProps = { status: Approval; empty: string };

/** The integrations in one state of live mode. */
export function Applicants({ status, empty }: ApplicantsProps): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  return (
    <List
      list={useApplicants(status, cursor)}
      caption={t('Integrations')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={BadgeCheck} title={t('Nothing here')}>
          {empty}
        </EmptyState>
      }
    />
  );
}
