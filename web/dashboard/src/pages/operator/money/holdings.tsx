import type { ReactNode } from 'react';
import { groupDigits } from '../../../format/amount.ts';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { type Holding, useHoldings } from './queries.ts';

/** Where live money lies on the chains; nothing where none has come yet. */
export function Holdings(): ReactNode {
  const holdings = useHoldings();
  if (!holdings.data || holdings.data.items.length === 0) return null;
  return (
    <Section
      title="On the chains"
      description="What the ledger says lies where it was received: on the payments' own addresses, or on the account that all payments of a network share. And what went to the treasury from there; what you take out of the treasury it does not know."
    >
      <Table
        caption="Live money on the chains"
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
    head: 'Asset',
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
    head: 'Where received',
    align: 'end',
    cell: ({ on_addresses, own_on_addresses }) => (
      <>
        {groupDigits(on_addresses)}
        {own_on_addresses !== '0' && (
          <span className="block text-quiet text-xs">{groupDigits(own_on_addresses)} of it your own</span>
        )}
      </>
    ),
  },
  { key: 'treasury', head: 'In treasury', align: 'end', cell: ({ in_treasury }) => groupDigits(in_treasury) },
];
