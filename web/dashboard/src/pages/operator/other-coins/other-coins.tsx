import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { OtherCoinDrawer } from './drawer.tsx';
import { type OtherCoin, useOtherCoins } from './queries.ts';
import { OtherCoinState } from './words.tsx';

/** Coins and tokens that are not taken, and that customers sent to the address of a payment. */
export function OtherCoins(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const coins = useOtherCoins(cursor);
  return (
    <List
      list={coins}
      caption={t('Coins and tokens that are not taken')}
      columns={columns}
      rowKey={({ id }) => id}
      lead={
        <p className="text-sm">
          {t(
            'Customers sent these to the address of a payment and named the transaction on its page. They pay nothing and are in no ledger. One endpoint showed them, and anybody can make a token: look at its address before you pay gas for it. They stay listed.',
          )}
        </p>
      }
      empty={
        <EmptyState icon={CircleCheck} title={t('No coin that is not taken')}>
          {t(
            'Where a customer sends the native coin or a token that is not taken to the address of a payment, and names the transaction on its page, it is listed here with the command that recovers it.',
          )}
        </EmptyState>
      }
      detail={(coin, onClose) => <OtherCoinDrawer coin={coin} onClose={onClose} />}
    />
  );
}

const columns: Column<OtherCoin>[] = [
  {
    key: 'payment',
    head: t('Payment'),
    grow: true,
    className: 'min-w-28',
    cell: ({ id, payment }) => (
      <RowLink open={id} className="font-mono wrap-anywhere">
        {payment.reference}
      </RowLink>
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
