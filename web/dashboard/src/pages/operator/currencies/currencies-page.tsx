import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Money } from '../../../ui/display/money.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { CurrencyDrawer } from './currency-drawer.tsx';
import { type CurrencyTerms, useCurrencies } from './queries.ts';
import { RatesCards } from './rates-card.tsx';

/** The currencies of payments, with their minimums, networks and rates. */
export function CurrenciesPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Currencies')}
        description={t(
          'Changes apply to new payments, on every gateway within a second. Existing payments keep their terms and their network.',
        )}
      />
      <Section title={t('Offered currencies')}>
        <List
          list={useCurrencies()}
          caption={t('Currencies and their terms')}
          columns={columns}
          rowKey={({ currency }) => currency}
          empty={null}
          detail={(terms, onClose) => <CurrencyDrawer terms={terms} onClose={onClose} />}
        />
      </Section>
      <RatesCards />
      <p className="text-sm text-quiet">
        {rich('Fees are set for each integration: {link}', {
          link: (
            <Link
              to="/operator/merchants"
              search={{ tab: 'integrations' }}
              className="underline underline-offset-4"
            >
              {t('integrations and fees')}
            </Link>
          ),
        })}
        .
      </p>
    </>
  );
}

const columns: Column<CurrencyTerms>[] = [
  {
    key: 'currency',
    head: t('Currency'),
    cell: ({ currency }) => (
      <RowLink open={currency} className="font-semibold">
        {currency}
      </RowLink>
    ),
  },
  {
    key: 'state',
    head: t('New payments'),
    cell: ({ offered }) =>
      offered ? (
        <Badge tone="paid" icon={CircleCheck}>
          {t('Offered')}
        </Badge>
      ) : (
        <Badge icon={Ban}>{t('Refused')}</Badge>
      ),
  },
  {
    key: 'minimum',
    head: t('Minimum'),
    align: 'end',
    amounts: ({ minimum_usd }) => [minimum_usd],
    cell: ({ minimum_usd }) => <Money amount={minimum_usd} currency="USD" />,
  },
  {
    key: 'default',
    head: t('Default network'),
    from: 'sm',
    cell: ({ networks, default_asset }) => networks.find(({ asset }) => asset === default_asset)?.network,
  },
  {
    key: 'networks',
    head: t('Networks offered'),
    from: 'md',
    align: 'end',
    cell: ({ networks }) =>
      t('{offered} of {total}', {
        offered: networks.filter(({ offered }) => offered).length,
        total: networks.length,
      }),
  },
];
