import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { withinSentence } from '../../texts/within-sentence.ts';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { statusWord } from '../../ui/display/status-badge.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { aheadText } from './durations.ts';
import type { TestClock, WaitingItem } from './queries.ts';

const shows = {
  seen: t('A transfer is seen, or gets its next confirmation'),
  final: t('A transfer becomes final'),
  gone: t('A reorg removes a transfer'),
  fail: t('The payment fails'),
  expire: t('The deadline passes'),
  dispute: t('The customer disputes the payment'),
};

/** What will happen, in words. */
function whatWill({ kind, what }: WaitingItem): string {
  if (kind === 'chain') return shows[what];
  if (kind === 'webhook')
    return t('{what}: its webhook is sent again', {
      what: what.replace(/^payment_/, '').replaceAll('_', ' '),
    });
  return t('The time limit of a payment ends; its status: {what}', {
    what: withinSentence(statusWord(what)),
  });
}

type Row = WaitingItem & { key: string };

const columns: Column<Row>[] = [
  {
    key: 'in',
    head: t('In'),
    className: 'min-w-32',
    cell: ({ in_seconds: seconds }) => (
      <span className="tabular-nums sm:whitespace-nowrap">{aheadText(seconds)}</span>
    ),
  },
  {
    key: 'what',
    head: t('What'),
    className: 'w-full min-w-40 wrap-anywhere',
    cell: (row) => (
      <>
        {whatWill(row)}
        <span className="block sm:hidden">
          {row.payment_reference !== '' && <PaymentLink reference={row.payment_reference} />}
        </span>
      </>
    ),
  },
  {
    key: 'payment',
    head: t('Payment'),
    from: 'sm',
    className: 'whitespace-nowrap',
    cell: ({ payment_reference: reference }) => reference !== '' && <PaymentLink reference={reference} />,
  },
];

/** What waits for the test clock, earliest first. */
export function WaitingTable({ waiting }: { waiting: TestClock['waiting'] }): ReactNode {
  const rows: Row[] = waiting.items.map((item, index) => ({ ...item, key: `${index}` }));
  return (
    <Table
      caption={t('What waits for the test clock')}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      footer={
        waiting.more ? (
          <p className="py-1.5 text-sm text-quiet">{t('There are more after these.')}</p>
        ) : undefined
      }
    />
  );
}
