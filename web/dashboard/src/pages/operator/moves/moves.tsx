import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { KindSelect } from '../kind-select.tsx';
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
  const [{ cursor, kind }] = useOperatorSearch();
  const state = kind === 'all' ? 'all' : 'open';
  const moves = useMoves(state, cursor);
  return (
    <>
      <KindSelect choices={states} />
      <List
        list={moves}
        caption={state === 'open' ? t('Transfers without an order') : t('Transfers of treasuries and vaults')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<Nothing state={state} />}
        detail={(move, onClose) => <MoveDrawer move={move} onClose={onClose} />}
      />
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
    cell: ({ id, from, to, mode }) => (
      <span className="flex items-center gap-2">
        <RowLink open={id} className="min-w-0 truncate">
          {placeNames[from]} → {placeNames[to]}
        </RowLink>
        {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      </span>
    ),
  },
  { key: 'standing', head: t('Ordered by'), from: 'md', cell: standingOf },
  { key: 'at', head: t('At'), from: 'sm', cell: ({ at }) => <Time at={at} /> },
  amountColumn(),
];
