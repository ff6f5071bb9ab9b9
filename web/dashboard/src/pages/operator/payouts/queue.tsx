import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Rows } from '../../../ui/list/rows.tsx';
import { ApprovalCards } from '../../payouts/approval-cards.tsx';
import { payoutColumns } from '../../payouts/payout-columns.tsx';
import { PayoutDrawer } from '../../payouts/payout-drawer.tsx';
import { operatorSide } from '../../payouts/side.ts';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type QueuedPayoutData, useQueue } from './queries.ts';

const from: Column<QueuedPayoutData> = {
  key: 'from',
  head: t('From'),
  from: 'md',
  className: 'whitespace-nowrap',
  cell: (payout) => <Owner payout={payout} />,
};

/** Payouts of one kind; those that an operator approves are cards. */
export function Queue({ kind }: { kind: 'attention' | 'open' | 'all' }): ReactNode {
  const [{ cursor, open }, change] = useOperatorSearch();
  const queue = useQueue(kind, cursor);
  return (
    <Loaded query={queue}>
      {({ items, next_cursor }) => {
        const isCard = (payout: QueuedPayoutData) =>
          kind === 'attention' && payout.status === 'awaiting_approval';
        const rows = items.filter((payout) => !isCard(payout));
        const more = new Map(items.map((payout) => [payout.id, <Owner key={payout.id} payout={payout} />]));
        return (
          <>
            <ApprovalCards
              side={operatorSide}
              payouts={items.filter(isCard)}
              more={({ id }) => <div>{more.get(id)}</div>}
            />
            {items.length === 0 && (
              <EmptyState
                icon={CircleCheck}
                title={kind === 'attention' ? t('Nothing needs you') : t('There is no payout')}
              >
                {t('Payouts that wait for your approval or that something holds up are shown here.')}
              </EmptyState>
            )}
            {rows.length > 0 && (
              <Rows
                page={{ items: rows, next_cursor }}
                stale={queue.isPlaceholderData}
                caption={t('Payouts')}
                columns={payoutColumns([from])}
                rowKey={({ id }) => id}
              />
            )}
            <PayoutDrawer side={operatorSide} id={open} onClose={() => change({ open: undefined })} />
          </>
        );
      }}
    </Loaded>
  );
}

function Owner({ payout }: { payout: QueuedPayoutData }): ReactNode {
  const { integration, mode, purpose, requester } = payout;
  // Who asked for a withdrawal is whose money it is: `user jane`.
  const ownerless = purpose === 'withdrawal' ? requester : t('This installation');
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {integration === null
        ? ownerless
        : `${integration.name}${integration.merchant === null ? '' : ` · ${integration.merchant}`}`}
      {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
    </span>
  );
}
