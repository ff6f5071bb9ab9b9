import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { type Holding, useHoldings } from './queries.ts';

/** Money on the networks of a mode; nothing while there is none. */
export function Holdings({ mode }: { mode: Holding['mode'] }): ReactNode {
  const items = useHoldings().data?.items.filter((item) => item.mode === mode) ?? [];
  if (items.length === 0) return null;
  return (
    <Section
      title={mode === 'live' ? t('On the chains') : t('On test networks')}
      description={
        mode === 'live'
          ? t(
              "By the ledger: money where it was received, which is the payments' own addresses or the account that all payments of a network share, and money that was swept to the treasury. The ledger does not know what you take out of the treasury.",
            )
          : t('By the ledger: coins of test networks, where they were received and in their treasuries.')
      }
    >
      <Table
        caption={mode === 'live' ? t('Live money on the chains') : t('Test coins on test networks')}
        columns={columns}
        rows={items}
        rowKey={({ rail, asset }) => `${rail} ${asset}`}
      />
    </Section>
  );
}

const columns: Column<Holding>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    grow: true,
    cell: ({ asset, currency, network }) => (
      <span className="whitespace-nowrap">
        <span className="font-semibold">{currency ?? asset}</span>{' '}
        <span className="text-quiet">{network}</span>
      </span>
    ),
  },
  {
    key: 'addresses',
    head: t('Where received'),
    align: 'end',
    amounts: ({ on_addresses }) => [on_addresses],
    cell: ({ asset, on_addresses, own_on_addresses }) => (
      <>
        <Money amount={on_addresses} currency={asset} bare />
        {own_on_addresses !== '0' && (
          <span className="block text-quiet text-xs">
            {t('{own_on_addresses} of it your own', { own_on_addresses: amountText(own_on_addresses) })}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'treasury',
    head: t('In treasury'),
    align: 'end',
    amounts: ({ in_treasury }) => [in_treasury],
    cell: ({ asset, in_treasury }) => <Money amount={in_treasury} currency={asset} bare />,
  },
];
