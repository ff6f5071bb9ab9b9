import type { ReactNode } from 'react';
import { groupDigits } from '../../../format/amount.ts';
import { t } from '../../../texts/t.ts';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { type Holding, useHoldings } from './queries.ts';

/** Live money on the chains; nothing while there is none. */
export function Holdings(): ReactNode {
  const holdings = useHoldings();
  if (!holdings.data || holdings.data.items.length === 0) return null;
  return (
    <Section
      title={t('On the chains')}
      description={t(
        "By the ledger: money where it was received, which is the payments' own addresses or the account that all payments of a network share, and money that was swept to the treasury. The ledger does not know what you take out of the treasury.",
      )}
    >
      <Table
        caption={t('Live money on the chains')}
        columns={columns}
        rows={holdings.data.items}
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
    cell: ({ on_addresses, own_on_addresses }) => (
      <>
        {groupDigits(on_addresses)}
        {own_on_addresses !== '0' && (
          <span className="block text-quiet text-xs">
            {t('{own_on_addresses} of it your own', { own_on_addresses: groupDigits(own_on_addresses) })}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'treasury',
    head: t('In treasury'),
    align: 'end',
    cell: ({ in_treasury }) => groupDigits(in_treasury),
  },
];
