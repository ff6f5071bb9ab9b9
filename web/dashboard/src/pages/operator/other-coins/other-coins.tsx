import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Pagination } from '../../../ui/display/pagination.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../loaded.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { OtherCoinDrawer } from './drawer.tsx';
import { type OtherCoin, useOtherCoins } from './queries.ts';
import { OtherCoinState } from './words.tsx';

/** Coins and tokens that are not taken, and that customers sent to the address of a payment. */
export function OtherCoins(): ReactNode {
  const [{ cursor, open }, change] = useOperatorSearch();
  const coins = useOtherCoins(cursor);
  return (
    <Loaded query={coins}>
      {({ items, next_cursor }) => {
        const opened = items.find(({ id }) => id === open);
        return items.length === 0 && cursor === undefined ? (
          <EmptyState icon={CircleCheck} title={t('No coin that is not taken')}>
            {t(
              'Where a customer sends the native coin or a token that is not taken to the address of a payment, and names the transaction on its page, it is listed here with the command that recovers it.',
            )}
          </EmptyState>
        ) : (
          <>
            <p className="text-sm">
              {t(
                'Customers sent these to the address of a payment and named the transaction on its page. They pay nothing and are in no ledger. One endpoint showed them, and anybody can make a token: look at its address before you pay gas for it. They stay listed.',
              )}
            </p>
            <Table
              caption={t('Coins and tokens that are not taken')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              selected={open}
              stale={coins.isPlaceholderData}
              footer={<Pagination cursor={cursor} next={next_cursor} />}
            />
            {opened && <OtherCoinDrawer coin={opened} onClose={() => change({ open: undefined })} />}
          </>
        );
      }}
    </Loaded>
  );
}

const columns: Column<OtherCoin>[] = [
  {
    key: 'payment',
    head: t('Payment'),
    grow: true,
    className: 'min-w-28',
    cell: ({ id, payment }) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: id })}
        className="row-link font-mono wrap-anywhere"
        replace
      >
        {payment.reference}
      </Link>
    ),
  },
  {
    key: 'coin',
    head: t('Coin or token'),
    cell: ({ symbol, token, chain }) => (
      <span className="grid">
        <span className={symbol === null ? 'font-mono' : undefined}>
          {symbol ?? `${token.slice(0, 8)}…${token.slice(-6)}`}
        </span>
        <span className="text-quiet">{chain}</span>
      </span>
    ),
  },
  { key: 'found', head: t('Found'), from: 'md', cell: ({ found_at }) => <Time at={found_at} /> },
  { key: 'state', head: t('State'), from: 'sm', cell: ({ state }) => <OtherCoinState state={state} /> },
];
