import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { counted, t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { StatusBadge, statusMeaning } from '../../../ui/display/status-badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Pagination } from '../../../ui/list/pagination.tsx';
import type { PaymentLine } from '../queries.ts';
import { UnusualBadges } from '../unusual-badges.tsx';
import { type OptionalColumn, useListView } from './list-view.ts';
import { MarkedBar } from './marked-bar.tsx';
import { TotalsLine } from './totals-line.tsx';

function columnsOf(chosen: readonly OptionalColumn[]): Column<PaymentLine>[] {
  return [amountColumn, statusColumn, ...chosen.map((name) => optional[name])];
}

const amountColumn: Column<PaymentLine> = {
  key: 'amount',
  head: t('Amount'),
  align: 'end',
  amounts: ({ amount, paid_amount, rate }) => [amount, rate === null ? null : paid_amount],
  cell: ({ amount, currency, paid_amount, paid_currency, rate, created_at }) => (
    <>
      <Money amount={amount} currency={currency} className="font-semibold" />
      {rate !== null && paid_amount !== null && paid_currency !== null && (
        <span className="block text-quiet">
          <Money amount={paid_amount} currency={paid_currency} />
        </span>
      )}
      <span className="block whitespace-nowrap text-quiet sm:hidden">
        <Time at={created_at} />
      </span>
    </>
  ),
};

const statusColumn: Column<PaymentLine> = {
  key: 'status',
  head: t('Status'),
  cell: ({ payment_status, unusual, payment_reference }) => (
    <>
      <span className="flex gap-1.5 max-sm:flex-wrap">
        <StatusBadge status={payment_status} />
        <UnusualBadges unusual={unusual} />
        {unusual.length === 0 && (
          <span className="self-center whitespace-nowrap text-quiet max-lg:hidden">
            {statusMeaning(payment_status)}
          </span>
        )}
      </span>
      <span className="mt-0.5 block text-quiet sm:hidden">
        <ReferenceLink reference={payment_reference} />
      </span>
    </>
  ),
};

const none = <span className="text-quiet">–</span>;

const optional: Record<OptionalColumn, Column<PaymentLine>> = {
  customer: {
    key: 'customer',
    head: t('Customer'),
    grow: true,
    from: 'md',
    cell: ({ customer_email, customer_reference }) => customer_email ?? customer_reference ?? none,
  },
  reference: {
    key: 'reference',
    head: t('Reference'),
    from: 'sm',
    cell: ({ payment_reference: reference }) => <ReferenceLink reference={reference} />,
  },
  created: {
    key: 'created',
    head: t('Created'),
    align: 'end',
    from: 'sm',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  fee: {
    key: 'fee',
    head: t('Fee'),
    align: 'end',
    from: 'lg',
    amounts: ({ service_fee }) => [service_fee],
    cell: ({ service_fee, currency }) => <Money amount={service_fee} currency={currency} />,
  },
  note: {
    key: 'note',
    head: t('Note'),
    from: 'lg',
    className: 'max-w-64 truncate',
    cell: ({ payment_note }) => payment_note ?? none,
  },
  deadline: {
    key: 'deadline',
    head: t('Deadline'),
    align: 'end',
    from: 'lg',
    cell: ({ deadline }) => <Time at={deadline} />,
  },
};

function ReferenceLink({ reference }: { reference: string }): ReactNode {
  return (
    <Link
      to="."
      search={(search: object) => ({ ...search, open: reference })}
      className="row-link font-mono whitespace-nowrap"
      title={reference}
    >
      <span aria-hidden>{shortened(reference)}</span>
      <span className="sr-only">{reference}</span>
    </Link>
  );
}

/** Generated references begin alike and differ at their ends. */
function shortened(reference: string): string {
  return reference.length <= 16 ? reference : `${reference.slice(0, 5)}…${reference.slice(-9)}`;
}

type PaymentsTableProps = {
  rows: readonly PaymentLine[];
  open: string | undefined;
  cursor: string | undefined;
  next: string | null;
  stale: boolean;
};

/** The payments of one page; a row opens its drawer, and marked ones are dealt with together. */
export function PaymentsTable({ rows, open, cursor, next, stale }: PaymentsTableProps): ReactNode {
  const { columns } = useListView();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const markedRows = rows.filter(({ payment_reference }) => marked.has(payment_reference));
  return (
    <>
      {markedRows.length > 0 && <MarkedBar marked={markedRows} onClear={() => setMarked(new Set())} />}
      <Table
        caption={t('Payments')}
        columns={columnsOf(columns)}
        rows={rows}
        rowKey={({ payment_reference }) => payment_reference}
        selected={open}
        stale={stale}
        marking={{ marked, onChange: setMarked, label: (reference) => t('Mark {reference}', { reference }) }}
        footer={
          <div className="grid gap-2 py-1">
            <TotalsLine />
            <Pagination cursor={cursor} next={next}>
              {counted(rows.length, '1 payment', '{count} payments')}
            </Pagination>
          </div>
        }
      />
    </>
  );
}
