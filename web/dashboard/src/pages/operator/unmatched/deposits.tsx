import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { Pagination } from '../../../ui/display/pagination.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Loaded } from '../loaded.tsx';
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
  const [{ cursor, open, kind }, change] = useOperatorSearch();
  const state = kind === 'decided' ? 'decided' : 'open';
  const deposits = useDeposits(state, cursor);
  return (
    <>
      <div className="flex">
        <Select
          label={t('Show')}
          labelHidden
          choices={states}
          value={state === 'open' ? '' : state}
          onChange={({ target }) =>
            change({ kind: target.value || undefined, cursor: undefined, open: undefined })
          }
        />
      </div>
      <Loaded query={deposits}>
        {({ items, next_cursor }) => {
          const opened = items.find(({ id }) => id === open);
          return items.length === 0 && cursor === undefined ? (
            <Nothing state={state} />
          ) : (
            <>
              <Table
                caption={t('Unmatched deposits')}
                columns={state === 'open' ? openColumns : decidedColumns}
                rows={items}
                rowKey={({ id }) => id}
                selected={open}
                stale={deposits.isPlaceholderData}
                footer={<Pagination cursor={cursor} next={next_cursor} />}
              />
              {opened && <DepositDrawer deposit={opened} onClose={() => change({ open: undefined })} />}
            </>
          );
        }}
      </Loaded>
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
  cell: ({ id, memo }) => (
    <Link to="." search={(search: object) => ({ ...search, open: id })} className="row-link" replace>
      <Memo memo={memo} />
    </Link>
  ),
};
const amount: Column<UnmatchedDeposit> = {
  key: 'amount',
  head: t('Amount'),
  align: 'end',
  cell: (deposit) => <Money amount={deposit.amount} currency={deposit.asset} />,
};
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
