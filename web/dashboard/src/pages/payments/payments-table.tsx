import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Money } from '../../ui/display/money.tsx';
import { Pagination } from '../../ui/display/pagination.tsx';
import { StatusBadge, statusMeaning } from '../../ui/display/status-badge.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { PaymentLine } from './queries.ts';
import { UnusualBadges } from './unusual-badges.tsx';

const columns: readonly Column<PaymentLine>[] = [
  {
    key: 'amount',
    head: 'Amount',
    align: 'end',
    cell: ({ amount, currency, created_at }) => (
      <>
        <Money amount={amount} currency={currency} className="font-semibold" />
        <span className="block whitespace-nowrap text-quiet sm:hidden">
          <Time at={created_at} />
        </span>
      </>
    ),
  },
  {
    key: 'status',
    head: 'Status',
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
  },
  {
    key: 'customer',
    head: 'Customer',
    grow: true,
    from: 'md',
    cell: ({ customer_email, customer_reference }) =>
      customer_email ?? customer_reference ?? <span className="text-quiet">–</span>,
  },
  {
    key: 'reference',
    head: 'Reference',
    from: 'sm',
    cell: ({ payment_reference: reference }) => <ReferenceLink reference={reference} />,
  },
  {
    key: 'created',
    head: 'Created',
    align: 'end',
    from: 'sm',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

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

/** The payments of one page; a row opens its drawer. */
export function PaymentsTable({ rows, open, cursor, next, stale }: PaymentsTableProps): ReactNode {
  return (
    <Table
      caption="Payments"
      columns={columns}
      rows={rows}
      rowKey={({ payment_reference }) => payment_reference}
      selected={open}
      stale={stale}
      footer={
        <Pagination cursor={cursor} next={next}>
          {rows.length === 1 ? '1 payment' : `${rows.length} payments`}
        </Pagination>
      }
    />
  );
}
