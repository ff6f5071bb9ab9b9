import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Id } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Loaded } from './loaded.tsx';
import { type OwedRefund, useOwedRefunds } from './money-queries.ts';
import { useOperatorSearch } from './use-operator-search.ts';

/** Live money that goes back to customers and waits for a person to send it: the gateway holds no key. */
export function OwedRefunds(): ReactNode {
  const [{ cursor, open }, change] = useOperatorSearch();
  const refunds = useOwedRefunds(cursor);
  return (
    <Loaded query={refunds}>
      {({ items, next_cursor }) => {
        const opened = items.find(({ id }) => id === open);
        return items.length === 0 && cursor === undefined ? (
          <EmptyState icon={Undo2} title="Nothing is owed to customers">
            When a live payment is given back, what came over a network stands here, with the customer and
            where it came from. The gateway holds no key that could send it.
          </EmptyState>
        ) : (
          <>
            <Table
              caption="Owed to customers"
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              selected={open}
              stale={refunds.isPlaceholderData}
              footer={<Pagination cursor={cursor} next={next_cursor} />}
            />
            {opened && <RefundDrawer refund={opened} onClose={() => change({ open: undefined })} />}
          </>
        );
      }}
    </Loaded>
  );
}

const columns: Column<OwedRefund>[] = [
  {
    key: 'payment',
    head: 'Payment',
    grow: true,
    className: 'min-w-28',
    cell: ({ id, reference }) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: id })}
        className="row-link font-mono"
        replace
      >
        {reference}
      </Link>
    ),
  },
  { key: 'integration', head: 'Integration', from: 'md', cell: ({ integration_name }) => integration_name },
  { key: 'since', head: 'Owed since', from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'amount',
    head: 'Amount',
    align: 'end',
    className: 'max-sm:min-w-44',
    cell: ({ amount, asset }) => (
      <Money amount={amount} currency={asset} className="max-sm:whitespace-normal" />
    ),
  },
];

function RefundDrawer({ refund, onClose }: { refund: OwedRefund; onClose: () => void }): ReactNode {
  const { integration_id: integration, mode, reference, sender } = refund;
  return (
    <Drawer open onClose={onClose} title={<Money amount={refund.amount} currency={refund.asset} />}>
      <Banner
        tone="waiting"
        title={`Ask the customer where to send it${refund.network === null ? '' : `, on ${refund.network}`}`}
      >
        Do not just send it to where it came from: an exchange pays for all its customers from addresses of
        its own, and what comes back to one of them does not reach the customer.
      </Banner>
      <DefinitionList
        facts={[
          [
            'Payment',
            <Link
              key="payment"
              to="/i/$integration/$mode/payments/$reference"
              params={{ integration, mode, reference }}
              className="row-link font-mono"
            >
              {reference}
            </Link>,
          ],
          ['Integration', refund.integration_name],
          ['Customer', refund.customer_email],
          [
            'Came from',
            sender === null ? null : (
              <Id key="sender" text={sender} what="sender's address" length={24} href={refund.sender_url} />
            ),
          ],
          [
            'Transaction',
            <Id
              key="transaction"
              text={refund.transaction}
              what="transaction"
              length={24}
              href={refund.transaction_url}
            />,
          ],
          ['Owed since', <Time key="since" at={refund.created_at} exact />],
        ]}
      />
    </Drawer>
  );
}
