import { useNavigate } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Select } from '../../ui/form/select.tsx';
import { List } from '../../ui/list/list.tsx';
import { directPaymentColumns } from './direct-payments.tsx';
import { type DirectMove, useDirectMoves, useDirectPayments } from './queries.ts';

const targets = { merchant: t('To you'), host: t('To the operator'), given: t('Sent by others') } as const;

const moveColumns: readonly Column<DirectMove>[] = [
  {
    key: 'to',
    head: t('What'),
    grow: true,
    cell: ({ to, asset, is_gone, at }) => (
      <>
        {targets[to]} {is_gone && <Badge tone="lost">{t('Taken back by a reorg')}</Badge>}
        <span className="block text-quiet">
          {assetName(asset)} · <Time at={at} />
        </span>
      </>
    ),
  },
  {
    key: 'amount',
    head: t('Amount'),
    align: 'end',
    amounts: ({ amount }) => [amount],
    cell: ({ amount, asset }) => <Money amount={amount} currency={asset} />,
  },
  {
    key: 'receiver',
    head: t('Address'),
    from: 'md',
    cell: ({ receiver }) => <Id text={receiver} what={t('address')} length={12} />,
  },
  {
    key: 'transaction',
    head: t('Transaction'),
    from: 'sm',
    cell: ({ transaction, transaction_url: url, block }) => (
      <>
        <Id text={transaction} what={t('transaction hash')} href={url} length={12} />
        {block !== null && <span className="block text-quiet">{t('Block {block}', { block })}</span>}
      </>
    ),
  },
];

type DirectTabProps = { search: { status?: string | undefined; cursor?: string | undefined } };

/** What settled to the business's own addresses: by payment, or as the chains moved it. No balance counts it. */
export function DirectTab({ search: { status, cursor } }: DirectTabProps): ReactNode {
  const navigate = useNavigate();
  const showsMoves = status === 'moves';
  const payments = useDirectPayments({ cursor }, !showsMoves);
  const moves = useDirectMoves({ cursor }, showsMoves);
  const empty = (
    <EmptyState icon={Wallet} title={t('Nothing has settled to your own wallet yet')}>
      {t(
        'Set an address under Settings, Payouts. What is paid from then on is shown here, and in no balance.',
      )}
    </EmptyState>
  );
  return (
    <>
      <p className="text-sm text-quiet">
        {t(
          'This money goes to your own addresses and is in no balance here. Refunds of it are yours to send.',
        )}
      </p>
      <div className="max-w-60">
        <Select
          label={t('Show')}
          value={showsMoves ? 'moves' : ''}
          onChange={({ target }) =>
            void navigate({ to: '.', search: changeSearch({ cursor: undefined, status: target.value }) })
          }
          choices={[
            { value: '', label: t('Payments') },
            { value: 'moves', label: t('Transfers on the chain') },
          ]}
        />
      </div>
      {showsMoves ? (
        <List
          list={moves}
          caption={t('Transfers of what settled directly')}
          columns={moveColumns}
          rowKey={({ id }) => id}
          empty={empty}
        />
      ) : (
        <List
          list={payments}
          caption={t('Payments to your own wallet')}
          columns={directPaymentColumns}
          rowKey={({ id }) => id}
          empty={empty}
        />
      )}
    </>
  );
}
