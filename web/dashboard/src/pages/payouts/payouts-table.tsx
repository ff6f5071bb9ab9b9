import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { ConsolePayout } from './queries.ts';
import { PayoutBadge } from './status.tsx';
import { purposeWords } from './words.ts';

type Props<Row extends ConsolePayout> = {
  rows: readonly Row[];
  selected: string | undefined;
  stale: boolean;
  footer: ReactNode;
  /** Behind the others. */
  more?: Column<Row>[];
};

/** Payouts as rows that open the drawer, each with what holds it up. */
export function PayoutsTable<Row extends ConsolePayout>(props: Props<Row>): ReactNode {
  const { rows, selected, stale, footer, more = [] } = props;
  const columns: Column<Row>[] = [
    {
      key: 'amount',
      head: t('Amount'),
      cell: ({ id, amount, asset }) => (
        <Link to="." search={changeSearch({ open: id })} className="row-link font-semibold">
          <Money amount={amount} currency={asset} />
        </Link>
      ),
    },
    {
      key: 'status',
      head: t('Status'),
      className: 'w-full',
      cell: ({ status, failure }) => (
        <>
          <PayoutBadge status={status} isHeldUp={failure !== null} />
          {failure !== null && (
            <span className="block pt-1 text-quiet wrap-anywhere">{ofGateway(failure)}</span>
          )}
        </>
      ),
    },
    {
      key: 'to',
      head: t('To'),
      from: 'md',
      className: 'whitespace-nowrap',
      cell: ({ to }) => (
        <span className="font-mono" title={to}>
          {to.length > 18 ? `${to.slice(0, 8)}…${to.slice(-6)}` : to}
        </span>
      ),
    },
    {
      key: 'purpose',
      head: t('For'),
      from: 'lg',
      className: 'whitespace-nowrap',
      cell: ({ purpose, payout_reference }) => payout_reference ?? purposeWords[purpose],
    },
    ...more,
    {
      key: 'at',
      head: t('Asked for'),
      from: 'sm',
      className: 'whitespace-nowrap',
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
  return (
    <Table
      caption={t('Payouts')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      selected={selected}
      stale={stale}
      footer={footer}
    />
  );
}
