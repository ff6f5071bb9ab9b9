import { Link } from '@tanstack/react-router';
import { UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Pagination } from '../../../ui/display/pagination.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { ProposalDrawer } from './drawer.tsx';
import { type Proposal, useProposals } from './queries.ts';
import { stateOf } from './words.ts';

const empty = {
  open: t(
    'What one operator may not do alone, such as a change of a fee, waits here for another one, or for a day to pass.',
  ),
  ended: t('No proposal has ended yet.'),
};

/** Acts that wait for another operator, or for a day to pass, and those that ended. */
export function ProposalsPage(): ReactNode {
  const [{ tab }, search] = useOperatorSearch();
  const state = tab === 'ended' ? 'ended' : 'open';
  return (
    <>
      <PageHeader
        title={t('Proposals')}
        description={t(
          'What one operator may not do alone: another one confirms it. Where there is only one, it is done after 24 hours.',
        )}
      />
      <Tabs
        label={t('State')}
        value={state}
        onChange={(next) => search({ tab: next, cursor: undefined, open: undefined })}
        tabs={[
          { value: 'open', label: t('Waiting'), content: <Proposals state="open" /> },
          { value: 'ended', label: t('Ended'), content: <Proposals state="ended" /> },
        ]}
      />
    </>
  );
}

function Proposals({ state }: { state: 'open' | 'ended' }): ReactNode {
  const [{ cursor, open }, search] = useOperatorSearch();
  const list = useProposals(state, cursor);
  if (list.isPending) return <SkeletonRows />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const chosen = list.data.items.find(({ id }) => id === open);
  return (
    <>
      {list.data.items.length === 0 ? (
        <EmptyState icon={UserCheck} title={t('Nothing here')}>
          {empty[state]}
        </EmptyState>
      ) : (
        <Table
          caption={t('Proposals')}
          columns={columns}
          rows={list.data.items}
          rowKey={({ id }) => id}
          selected={open}
          footer={<Pagination cursor={cursor} next={list.data.next_cursor} />}
          stale={list.isPlaceholderData}
        />
      )}
      {chosen && <ProposalDrawer proposal={chosen} onClose={() => search({ open: undefined })} />}
    </>
  );
}

const columns: Column<Proposal>[] = [
  {
    key: 'title',
    head: t('Act'),
    cell: ({ id, title }) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: id })}
        className="row-link font-semibold wrap-anywhere"
      >
        {title}
      </Link>
    ),
  },
  {
    key: 'about',
    head: t('About'),
    from: 'md',
    cell: ({ integration, subject }) => integration?.name ?? subject.kind,
  },
  { key: 'by', head: t('Asked by'), from: 'sm', cell: ({ asked_by }) => asked_by.email },
  { key: 'at', head: t('Asked'), cell: ({ asked_at }) => <Time at={asked_at} /> },
  {
    key: 'state',
    head: t('State'),
    cell: (proposal) => (
      <Badge tone={proposal.state === 'open' ? 'waiting' : 'quiet'}>{stateOf(proposal)}</Badge>
    ),
  },
];
