import type { ReactNode } from 'react';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type DirectPayment, useDirectPayments } from './queries.ts';

const states: Record<DirectPayment['state'], { word: string; tone: 'waiting' | 'paid' | 'lost' }> = {
  at_address: { word: t('At the address'), tone: 'waiting' },
  on_the_way: { word: t('On the way'), tone: 'waiting' },
  arrived: { word: t('Arrived'), tone: 'paid' },
  gone: { word: t('Left its chain'), tone: 'lost' },
};

/** The columns of what came for payments and goes to the business's own address. */
const directColumns: readonly Column<DirectPayment>[] = [
  {
    key: 'paid',
    head: t('Paid'),
    className: 'max-sm:w-full',
    amounts: ({ gross }) => [gross],
    cell: ({ gross, asset, transaction, transaction_url: url, at }) => (
      <>
        <Money amount={gross} currency={asset} />
        <span className="block text-quiet">
          <Time at={at} /> <Id text={transaction} what={t('transaction hash')} href={url} length={12} />
        </span>
      </>
    ),
  },
  {
    key: 'fee',
    head: t('Operator’s part'),
    align: 'end',
    from: 'md',
    amounts: ({ fee }) => [fee],
    cell: ({ fee, asset }) => <Money amount={fee} currency={asset} bare />,
  },
  {
    key: 'net',
    head: t('To your address'),
    align: 'end',
    from: 'sm',
    amounts: ({ net }) => [net],
    cell: ({ net, asset, address }) => (
      <>
        <Money amount={net} currency={asset} bare />
        <span className="block text-quiet">
          <Id text={address} what={t('address')} length={12} />
        </span>
      </>
    ),
  },
  {
    key: 'state',
    head: t('State'),
    cell: ({ state, arrived_transaction: arrived, arrived_url: url, arrived_block: block }) => (
      <>
        <Badge tone={states[state].tone}>{states[state].word}</Badge>
        {arrived !== null && (
          <span className="block text-quiet">
            <Id text={arrived} what={t('transaction hash')} href={url} length={12} />
            {block !== null && <span className="block">{t('Block {block}', { block })}</span>}
          </span>
        )}
      </>
    ),
  },
];

/** The same, each with its payment. */
export const directPaymentColumns: readonly Column<DirectPayment>[] = [
  {
    key: 'payment',
    head: t('Payment'),
    grow: true,
    className: 'min-w-36',
    cell: ({ payment_reference: reference, asset }) => (
      <>
        <PaymentLink reference={reference} />
        <span className="block text-quiet">{assetName(asset)}</span>
      </>
    ),
  },
  ...directColumns,
];

/** What of one payment goes to the business's own address; nothing while nothing of it does. */
export function DirectOfPayment({ reference }: { reference: string }): ReactNode {
  const { data } = useDirectPayments({ payment_reference: reference });
  if (!data || data.items.length === 0) return null;
  return (
    <Section
      title={t('To your own wallet')}
      description={t(
        'A contract that nobody can change sends each side its part. The operator calls it from time to time, and so may anybody.',
      )}
    >
      <Table
        caption={t('What goes to your own wallet')}
        columns={directColumns}
        rows={data.items}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
