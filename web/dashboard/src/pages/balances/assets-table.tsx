import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { isSome } from '../../format/decimals.ts';
import { counted, t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Money } from '../../ui/display/money.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import type { AssetBalance } from './queries.ts';

const columns: Column<AssetBalance>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    cell: ({ asset, currency, network }) => (
      <Link
        to="."
        search={changeSearch({ tab: undefined, cursor: undefined, asset })}
        className="row-link font-semibold"
      >
        {currency}
        <span className="font-normal text-quiet"> {t('on {network}', { network })}</span>
      </Link>
    ),
  },
  {
    key: 'available',
    head: t('Available'),
    align: 'end',
    amounts: ({ available }) => [available],
    cell: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    key: 'held',
    head: t('Held'),
    align: 'end',
    from: 'sm',
    amounts: ({ held }) => [isSome(held) ? held : null],
    cell: ({ held, currency }) =>
      isSome(held) ? <Money amount={held} currency={currency} /> : <span className="text-quiet">–</span>,
  },
];

/** The balance of each asset; empty ones are hidden at first. */
export function AssetsTable({ balances }: { balances: AssetBalance[] }): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const some = balances.filter(({ available, held }) => isSome(available) || isSome(held));
  const zeros = balances.length - some.length;
  const rest = zeros > 0 && (
    <Button size="small" variant="plain" onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
      {showsAll
        ? t('Hide assets without a balance')
        : counted(zeros, 'Show 1 asset without a balance', 'Show {count} assets without a balance')}
    </Button>
  );
  if (some.length === 0 && !showsAll) return <div>{rest}</div>;
  return (
    <Table
      caption={t('Balance of each asset')}
      columns={columns}
      rows={showsAll ? balances : some}
      rowKey={({ asset }) => asset}
      footer={rest || undefined}
    />
  );
}
