import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { KindSelect } from '../kind-select.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { DepositDrawer } from './drawer.tsx';
import { type UnmatchedDeposit, useDeposits } from './queries.ts';
import { DecisionBadge, Memo } from './words.tsx';

const states = [
  { value: '', label: t('To be decided') },
  { value: 'decided', label: t('Decided') },
] as const;

/** Deposits that name no payment, on which operators decide. */
export function Deposits(): ReactNode {
  const [{ cursor, kind }] = useOperatorSearch();
  const state = kind === 'decided' ? 'decided' : 'open';
  const deposits = useDeposits(state, cursor);
  return (
    <>
      <KindSelect choices={states} />
      <List
        list={deposits}
        caption={t('Unmatched deposits')}
        columns={state === 'open' ? openColumns : decidedColumns}
        rowKey={({ id }) => id}
        empty={<Nothing state={state} />}
        detail={(deposit, onClose) => <DepositDrawer deposit={deposit} onClose={onClose} />}
      />
    </>
  );
}

function Nothing({ state }: { state: 'open' | 'decided' }): ReactNode {
  return state === 'open' ? (
    <EmptyState icon={CircleCheck} title={t('No unmatched deposit')}>
      {t(
        "On a network where all payments share one account, such as Pi's, a memo names the payment. A deposit without one, or with a wrong one, waits here with the payments that it was likely meant for, until you decide.",
      )}
    </EmptyState>
  ) : (
    <EmptyState icon={CircleCheck} title={t('Nothing was decided yet')}>
      {t('Unmatched deposits are listed here once an operator has decided about them.')}
    </EmptyState>
  );
}

const came: Column<UnmatchedDeposit> = {
  key: 'memo',
  head: t('Memo'),
  grow: true,
  className: 'min-w-28',
  cell: ({ id, memo, mode }) => (
    <span className="flex items-center gap-2">
      <RowLink open={id} className="min-w-0 truncate">
        <Memo memo={memo} />
      </RowLink>
      {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
    </span>
  ),
};
const amount = amountColumn<UnmatchedDeposit>();
const arrived: Column<UnmatchedDeposit> = {
  key: 'arrived',
  head: t('Arrived'),
  from: 'sm',
  cell: ({ arrived_at }) => <Time at={arrived_at} />,
};

const openColumns: Column<UnmatchedDeposit>[] = [
  came,
  {
    key: 'claims',
    head: t('Claimed by'),
    from: 'md',
    cell: ({ claims, proofs }) =>
      claims === 0 ? (
        <span className="text-quiet">{t('nobody')}</span>
      ) : (
        <span className="flex flex-wrap gap-1">
          <Badge tone="waiting">{counted(claims, '1 payment', '{count} payments')}</Badge>
          {proofs > 0 && <Badge tone="paid">{counted(proofs, '1 proof', '{count} proofs')}</Badge>}
        </span>
      ),
  },
  arrived,
  amount,
];

const decidedColumns: Column<UnmatchedDeposit>[] = [
  came,
  { key: 'decision', head: t('Decision'), cell: ({ state }) => <DecisionBadge state={state} /> },
  {
    key: 'payment',
    head: t('Payment'),
    from: 'md',
    cell: ({ payment }) => <span className="font-mono">{payment?.reference}</span>,
  },
  arrived,
  amount,
];
