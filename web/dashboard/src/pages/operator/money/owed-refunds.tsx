import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { OwedBadge, OwedRefundDrawer } from './owed-refund-drawer.tsx';
import { type OwedRefund, useOwedRefunds } from './queries.ts';

/** Refunds of live payments that wait until an operator says where to send them. */
export function OwedRefunds(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const refunds = useOwedRefunds(cursor);
  return (
    <List
      list={refunds}
      caption={t('Owed to customers')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={Undo2} title={t('No refund is owed')}>
          {t(
            "When a live payment is refunded, what came over a network is listed here, with the customer and the sender's address. Where the gateway has a key, it sends the refund for you to the address that the customer names.",
          )}
        </EmptyState>
      }
      detail={(refund, onClose) => <OwedRefundDrawer refund={refund} onClose={onClose} />}
    />
  );
}

const columns: Column<OwedRefund>[] = [
  {
    key: 'payment',
    head: t('Payment'),
    grow: true,
    className: 'min-w-28',
    cell: ({ id, reference }) => (
      <RowLink open={id} className="font-mono">
        {reference}
      </RowLink>
    ),
  },
  {
    key: 'integration',
    head: t('Integration'),
    from: 'md',
    cell: ({ integration_name }) => integration_name,
  },
  { key: 'state', head: t('Sending'), from: 'sm', cell: (refund) => <OwedBadge refund={refund} /> },
  { key: 'since', head: t('Owed since'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
  amountColumn({ wraps: true }),
];
