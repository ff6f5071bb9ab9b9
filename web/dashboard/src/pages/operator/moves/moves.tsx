import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { Pagination } from '../../../ui/display/pagination.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Loaded } from '../loaded.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { MoveDrawer } from './drawer.tsx';
import { type TreasuryMove, useMoves } from './queries.ts';
import { placeNames, standingOf } from './words.ts';

const states = [
  { value: '', label: t('Without an order') },
  { value: 'all', label: t('All transfers') },
] as const;

/** What came into treasuries and vaults and left them, and what of it nobody ordered. */
export function Moves(): ReactNode {
  const [{ cursor, open, kind }, change] = useOperatorSearch();
  const state = kind === 'all' ? 'all' : 'open';
  const moves = useMoves(state, cursor);
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
      <Loaded query={moves}>
        {({ items, next_cursor }) => {
          const opened = items.find(({ id }) => id === open);
          return items.length === 0 && cursor === undefined ? (
            <Nothing state={state} />
          ) : (
            <>
              <Table
                caption={
                  state === 'open' ? t('Transfers without an order') : t('Transfers of treasuries and vaults')
                }
                columns={columns}
                rows={items}
                rowKey={({ id }) => id}
                selected={open}
                stale={moves.isPlaceholderData}
                footer={<Pagination cursor={cursor} next={next_cursor} />}
              />
              {opened && <MoveDrawer move={opened} onClose={() => change({ open: undefined })} />}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Nothing({ state }: { state: 'open' | 'all' }): ReactNode {
  return state === 'open' ? (
    <EmptyState icon={CircleCheck} title={t('Nothing left without an order')}>
      {t(
        'What leaves a treasury, a vault or the account of Pi, and was ordered by no payout, is listed here until you say whose money it was.',
      )}
    </EmptyState>
  ) : (
    <EmptyState icon={CircleCheck} title={t('No transfer yet')}>
      {t(
        'All that comes into a treasury or a vault, or leaves it, is listed here once it is final. Deposits that are swept there are not among it.',
      )}
    </EmptyState>
  );
}

const columns: Column<TreasuryMove>[] = [
  {
    key: 'way',
    head: t('From and to'),
    grow: true,
    className: 'min-w-28',
    cell: ({ id, from, to }) => (
      <Link to="." search={(search: object) => ({ ...search, open: id })} className="row-link" replace>
        {placeNames[from]} → {placeNames[to]}
      </Link>
    ),
  },
  { key: 'standing', head: t('Ordered by'), from: 'md', cell: standingOf },
  { key: 'at', head: t('At'), from: 'sm', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'amount',
    head: t('Amount'),
    align: 'end',
    cell: ({ amount, asset }) => <Money amount={amount} currency={asset} />,
  },
];
