import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { assetName } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { buttonClass } from '../../../ui/button/button.tsx';
import { Drawer } from '../../../ui/dialog/drawer.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import { Id } from '../../../ui/display/code.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { PaymentLink } from '../../../ui/display/payment-link.tsx';
import { StatusBadge } from '../../../ui/display/status-badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import type { LikelyMatch } from '../unmatched/queries.ts';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type SuspenseLine, useMatches, useSuspense } from './queries.ts';

/** Money that arrived and belongs to no settled payment. */
export function Suspense(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const suspense = useSuspense(cursor);
  return (
    <List
      list={suspense}
      caption={t('Suspense')}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={CircleCheck} title={t('No money is in suspense')}>
          {t(
            'Money waits here while its payment is part paid, in appeal, or was paid in another currency. Each line says which payment it was sent to, and which one it was likely meant for.',
          )}
        </EmptyState>
      }
      detail={(line, onClose) => <LineDrawer line={line} onClose={onClose} />}
    />
  );
}

const columns: Column<SuspenseLine>[] = [
  {
    key: 'payment',
    head: t('Sent to payment'),
    grow: true,
    className: 'min-w-28',
    cell: ({ id, reference }) => (
      <RowLink open={id} className="font-mono">
        {reference}
      </RowLink>
    ),
  },
  { key: 'integration', head: t('Integration'), from: 'md', cell: (line) => line.integration_name },
  {
    key: 'status',
    head: t('Status'),
    from: 'sm',
    cell: ({ status, mode }) => (
      <span className="flex gap-1.5">
        <StatusBadge status={status} />
        {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      </span>
    ),
  },
  { key: 'age', head: t('Arrived'), from: 'sm', cell: ({ arrived_at }) => <Time at={arrived_at} /> },
  amountColumn({ wraps: true }),
];

function LineDrawer({ line, onClose }: { line: SuspenseLine; onClose: () => void }): ReactNode {
  const { integration_id: integration, mode, reference } = line;
  return (
    <Drawer
      open
      onClose={onClose}
      title={<Money amount={line.amount} currency={line.asset} />}
      aside={<StatusBadge status={line.status} />}
    >
      <p className="text-sm">
        {line.is_of_currency
          ? t(
              'This money was paid for the payment below, which is not settled yet. It waits until the rest is paid, or an appeal is decided.',
            )
          : t(
              'This money came as {asset}, but the payment below asks for {currency}: it does not count until the appeal is decided.',
              { asset: assetName(line.asset), currency: line.currency },
            )}
      </p>
      <DefinitionList
        facts={[
          [t('Sent to'), <Id key="reference" text={reference} what={t('reference')} length={40} />],
          [t('Integration'), line.integration_name],
          idFact(t('Transaction'), t('transaction'), line.transaction, line.transaction_url),
          idFact(t('Sent from'), t("sender's address"), line.sender, line.sender_url),
          [t('Arrived'), <Time key="arrived" at={line.arrived_at} exact />],
        ]}
      />
      <div>
        <PaymentLink {...{ integration, mode, reference }} className={buttonClass('quiet', 'small')}>
          {t('Open the payment')}
        </PaymentLink>
      </div>
      <Section
        title={t('Likely meant for')}
        description={t(
          'Payments of the same integration and currency with about the same amount due, created within two days before.',
        )}
      >
        <Matches line={line} />
      </Section>
    </Drawer>
  );
}

function Matches({ line }: { line: SuspenseLine }): ReactNode {
  const matches = useMatches(line.id);
  const columns: Column<LikelyMatch>[] = [
    {
      key: 'reference',
      head: t('Payment'),
      grow: true,
      className: 'min-w-28',
      cell: ({ reference }) => (
        <PaymentLink
          integration={line.integration_id}
          mode={line.mode}
          reference={reference}
          className="row-link font-mono"
        />
      ),
    },
    { key: 'status', head: t('Status'), from: 'sm', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'due',
      head: t('Due'),
      align: 'end',
      amounts: ({ amount_due }) => [amount_due],
      cell: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    },
  ];
  return (
    <Loaded query={matches} rows={2}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="text-sm text-quiet">{t('No other payment has about this amount due.')}</p>
        ) : (
          <Table caption={t('Likely matches')} columns={columns} rows={items} rowKey={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
