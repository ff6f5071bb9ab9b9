import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { useWaitingTransfers, type WaitingRefund } from './queries.ts';
import { saveFile } from './save-file.ts';

/** The refunds that wait for a transfer out of an own address, and one file of a Safe for all of them; nothing while none waits. */
export function WaitingTransfers(): ReactNode {
  const { data } = useWaitingTransfers();
  if (!data || data.items.length === 0) return null;

  const columns: Column<WaitingRefund>[] = [
    {
      key: 'payment',
      head: t('Payment'),
      cell: ({ payment_reference }) => <PaymentLink reference={payment_reference} />,
      className: 'w-full min-w-24',
    },
    { key: 'to', head: t('To'), from: 'sm', cell: ({ to }) => to && <Id text={to} what={t('address')} /> },
    {
      key: 'amount',
      head: t('Amount'),
      align: 'end',
      cell: ({ amount, asset }) => <Money amount={amount} currency={asset} />,
    },
  ];
  return (
    <Section
      title={t('Refunds to send')}
      description={t(
        'Their money went to your own address. Open one to send it with a wallet, or sign all of an address at once with a Safe.',
      )}
    >
      <Table
        caption={t('Refunds that wait for your transfer')}
        columns={columns}
        rows={data.items}
        rowKey={({ id }) => id}
      />
      <span className="flex flex-wrap gap-2">
        {data.files.map(({ network, from, refunds, file }) => (
          <Button key={`${network} ${from}`} size="small" onClick={() => saveFile(file, 'refunds-safe.json')}>
            <Download size={16} aria-hidden />{' '}
            {t('File for a Safe on {network}: {count}', { network, count: String(refunds) })}
          </Button>
        ))}
      </span>
    </Section>
  );
}
