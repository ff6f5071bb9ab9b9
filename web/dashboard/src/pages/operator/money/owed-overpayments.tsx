import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type OwedOverpayment, useOwedOverpayments } from './queries.ts';

/** What customers of live payments sent beyond the amount due, and have not got back. */
export function OwedOverpayments(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const overpayments = useOwedOverpayments(cursor);
  return (
    <List
      list={overpayments}
      caption={t('Overpayments that are owed')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={Undo2} title={t('No overpayment is owed')}>
          {t(
            'What a customer sent beyond the amount due of a live payment stays theirs, and is listed here.',
          )}
        </EmptyState>
      }
    />
  );
}

const columns: Column<OwedOverpayment>[] = [
  {
    key: 'payment',
    head: t('Payment'),
    grow: true,
    className: 'min-w-28',
    cell: ({ integration_id: integration, reference }) => (
      <PaymentLink integration={integration} reference={reference} className="row-link font-mono" />
    ),
  },
  {
    key: 'integration',
    head: t('Integration'),
    from: 'md',
    cell: ({ integration_name }) => integration_name,
  },
  { key: 'customer', head: t('Customer'), from: 'md', cell: ({ customer_email }) => customer_email ?? '–' },
  { key: 'since', head: t('Owed since'), from: 'sm', cell: ({ completed_at }) => <Time at={completed_at} /> },
  {
    key: 'amount',
    head: t('Amount'),
    align: 'end',
    className: 'max-sm:min-w-44',
    cell: ({ amounts }) =>
      amounts.map(({ asset, amount }) => (
        <Money key={asset} amount={amount} currency={asset} className="block max-sm:whitespace-normal" />
      )),
  },
];
