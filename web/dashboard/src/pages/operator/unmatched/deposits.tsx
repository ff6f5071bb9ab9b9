import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
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
  { value: '', label: 'To be decided' },
  { value: 'decided', label: 'Decided' },
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
          label="Show"
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
                caption="Unmatched deposits"
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
    <EmptyState icon={CircleCheck} title="No unmatched deposit">
      On a network where all payments share one account, such as Pi's, a memo names the payment. A deposit
      without one, or with a wrong one, waits here with the payments that it was likely meant for, until you
      decide.
    </EmptyState>
  ) : (
    <EmptyState icon={CircleCheck} title="Nothing was decided yet">
      Unmatched deposits are listed here once an operator has decided about them.
    </EmptyState>
  );
}

const came: Column<UnmatchedDeposit> = {
  key: 'memo',
  head: 'Memo',
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
  head: 'Amount',
  align: 'end',
  cell: (deposit) => <Money amount={deposit.amount} currency={deposit.asset} />,
};
const arrived: Column<UnmatchedDeposit> = {
  key: 'arrived',
  head: 'Arrived',
  from: 'sm',
  cell: ({ arrived_at }) => <Time at={arrived_at} />,
};

const openColumns: Column<UnmatchedDeposit>[] = [
  came,
  {
    key: 'claims',
    head: 'Claimed by',
    from: 'md',
    cell: ({ claims, proofs }) =>
      claims === 0 ? (
        <span className="text-quiet">nobody</span>
      ) : (
        <span className="flex flex-wrap gap-1">
          <Badge tone="waiting">{claims === 1 ? '1 payment' : `${claims} payments`}</Badge>
          {proofs > 0 && <Badge tone="paid">{proofs === 1 ? '1 proof' : `${proofs} proofs`}</Badge>}
        </span>
      ),
  },
  arrived,
  amount,
];

const decidedColumns: Column<UnmatchedDeposit>[] = [
  came,
  { key: 'decision', head: 'Decision', cell: ({ state }) => <DecisionBadge state={state} /> },
  {
    key: 'payment',
    head: 'Payment',
    from: 'md',
    cell: ({ payment }) => <span className="font-mono">{payment?.reference}</span>,
  },
  arrived,
  amount,
];
