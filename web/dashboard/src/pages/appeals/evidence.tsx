import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Badge, type Tone } from '../../ui/display/badge.tsx';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import { Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Appeal, Evidence } from './queries.ts';

/** The transfers that were seen for the payment. */
export function EvidenceTable({ appeal }: { appeal: Appeal }): ReactNode {
  if (appeal.transfers.length === 0)
    return <p className="text-sm text-quiet">{t('Nothing was received for this payment.')}</p>;
  return (
    <Table
      caption={t('Transfers of this payment')}
      rows={appeal.transfers}
      rowKey={({ transaction, asset }) => `${transaction} ${asset}`}
      columns={[
        {
          key: 'amount',
          head: t('Amount'),
          cell: ({ amount, asset }) => <Money amount={amount} currency={asset} />,
        },
        { key: 'state', head: t('State'), cell: (transfer) => <StateBadge transfer={transfer} /> },
        { key: 'seen', head: t('Seen'), from: 'sm', cell: ({ seen_at }) => <Time at={seen_at} /> },
        {
          key: 'transaction',
          head: t('Transaction'),
          cell: ({ transaction, transaction_url, from_wallet }) =>
            from_wallet ? (
              t('From a Florin wallet')
            ) : (
              <Id text={transaction} what={t('transaction')} length={9} href={transaction_url} />
            ),
        },
      ]}
    />
  );
}

function StateBadge({ transfer }: { transfer: Evidence }): ReactNode {
  const [tone, word]: [Tone, string] =
    transfer.returned_at !== null
      ? ['quiet', t('Refunded')]
      : !transfer.is_of_currency
        ? ['lost', t('Wrong token')]
        : transfer.state === 'final'
          ? ['paid', t('Final')]
          : transfer.state === 'seen'
            ? ['waiting', t('Not final yet')]
            : ['lost', t('Left its chain')];
  return <Badge tone={tone}>{word}</Badge>;
}
