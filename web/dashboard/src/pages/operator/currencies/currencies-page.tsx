import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Loaded } from '../loaded.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { CurrencyDrawer } from './currency-drawer.tsx';
import { type CurrencyTerms, useCurrencies } from './queries.ts';
import { RatesCard } from './rates-card.tsx';

/** The currencies of payments, with their minimums, networks and rates. */
export function CurrenciesPage(): ReactNode {
  const [{ open }, change] = useOperatorSearch();
  const currencies = useCurrencies();
  const opened = currencies.data?.items.find(({ currency }) => currency === open);
  return (
    <>
      <PageHeader
        title="Currencies"
        description="Changes apply to new payments, on every gateway within a second. Existing payments keep their terms and their network."
      />
      <Section title="Offered currencies">
        <Loaded query={currencies}>
          {({ items }) => (
            <Table
              caption="Currencies and their terms"
              columns={columns}
              rows={items}
              rowKey={({ currency }) => currency}
              selected={open}
            />
          )}
        </Loaded>
      </Section>
      <RatesCard />
      <p className="text-sm text-quiet">
        Fees are set for each integration:{' '}
        <Link
          to="/operator/merchants"
          search={{ tab: 'integrations' }}
          className="underline underline-offset-4"
        >
          integrations and fees
        </Link>
        .
      </p>
      {opened && <CurrencyDrawer terms={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

const columns: Column<CurrencyTerms>[] = [
  {
    key: 'currency',
    head: 'Currency',
    cell: ({ currency }) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: currency })}
        className="row-link font-semibold"
        replace
      >
        {currency}
      </Link>
    ),
  },
  {
    key: 'state',
    head: 'New payments',
    cell: ({ offered }) =>
      offered ? (
        <Badge tone="paid" icon={CircleCheck}>
          Offered
        </Badge>
      ) : (
        <Badge icon={Ban}>Refused</Badge>
      ),
  },
  { key: 'minimum', head: 'Minimum', align: 'end', cell: ({ minimum_usd }) => `${minimum_usd} USD` },
  {
    key: 'default',
    head: 'Default network',
    from: 'sm',
    cell: ({ networks, default_asset }) => networks.find(({ asset }) => asset === default_asset)?.network,
  },
  {
    key: 'networks',
    head: 'Networks offered',
    from: 'md',
    align: 'end',
    cell: ({ networks }) => `${networks.filter(({ offered }) => offered).length} of ${networks.length}`,
  },
];
