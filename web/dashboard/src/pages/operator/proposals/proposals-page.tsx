import { UserCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { useOperatorAttention } from '../../attention/queries.ts';
import { OperatorTabs } from '../operator-tabs.tsx';
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
  const attention = useOperatorAttention(true).data;
  return (
    <>
      <PageHeader
        title={t('Proposals')}
        description={t(
          'What one operator may not do alone: another one confirms it. Where there is only one, it is done after 24 hours.',
        )}
      />
      <OperatorTabs
        label={t('State')}
        tabs={[
          {
            value: 'open',
            label: t('Waiting'),
            content: <Proposals state="open" />,
            waits: attention?.proposals,
          },
          { value: 'ended', label: t('Ended'), content: <Proposals state="ended" /> },
        ]}
      />
    </>
  );
}

function Proposals({ state }: { state: 'open' | 'ended' }): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  return (
    <List
      list={useProposals(state, cursor)}
      caption={t('Proposals')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={UserCheck} title={t('Nothing here')}>
          {empty[state]}
        </EmptyState>
      }
      detail={(proposal, onClose) => <ProposalDrawer proposal={proposal} onClose={onClose} />}
    />
  );
}

const columns: Column<Proposal>[] = [
  {
    key: 'title',
    head: t('Act'),
    cell: ({ id, title }) => (
      <RowLink open={id} replace={false} className="font-semibold wrap-anywhere">
        {title}
      </RowLink>
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
