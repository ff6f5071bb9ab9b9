import { Link } from '@tanstack/react-router';
import { CirclePause, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { SearchBox } from '../search-box.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { IntegrationsTable } from './integrations-table.tsx';
import { type MerchantLine, useIntegrations, useMerchants } from './queries.ts';

/** Every business of the installation, and every integration with its fee. */
export function MerchantsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Merchants')}
        description={t(
          'Businesses that take payments through this gateway, and the fee that each of their integrations pays.',
        )}
      />
      <OperatorTabs
        label={t('Merchants')}
        tabs={[
          { value: 'businesses', label: t('Businesses'), content: <Businesses /> },
          { value: 'integrations', label: t('Integrations and fees'), content: <Integrations /> },
        ]}
      />
    </>
  );
}

function Businesses(): ReactNode {
  const [{ q, cursor }] = useOperatorSearch();
  const merchants = useMerchants({ search: q, cursor });
  return (
    <div className="grid gap-4">
      <SearchBox label={t('Search businesses')} placeholder={t('Name, or e-mail of a member')} />
      <List
        list={merchants}
        caption={t('Businesses')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Store} title={q ? t('Nothing was found') : t('No business yet')}>
            {q
              ? t('No business has this in its name, and no member in their e-mail address.')
              : t('A business is listed here once its owner has signed up and named it.')}
          </EmptyState>
        }
      />
    </div>
  );
}

const columns: Column<MerchantLine>[] = [
  {
    key: 'name',
    head: t('Business'),
    grow: true,
    className: 'min-w-40',
    cell: ({ id, name, suspended_at }) => (
      <>
        <Link to="/operator/merchants/$merchant" params={{ merchant: id }} className="row-link font-semibold">
          {name}
        </Link>
        {suspended_at !== null && <span className="block text-lost sm:hidden">{t('Suspended')}</span>}
      </>
    ),
  },
  { key: 'owner', head: t('Owner'), from: 'md', cell: ({ owner_email }) => owner_email ?? '–' },
  {
    key: 'integrations',
    head: t('Integrations'),
    align: 'end',
    cell: ({ integrations, approved }) => (
      <span className="whitespace-nowrap">
        {integrations}
        {approved > 0 && <span className="text-quiet"> {t('· {approved} live', { approved })}</span>}
      </span>
    ),
  },
  { key: 'members', head: t('Members'), align: 'end', from: 'sm', cell: ({ members }) => members },
  { key: 'made', head: t('Since'), from: 'lg', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'state',
    head: <span className="sr-only">{t('State')}</span>,
    align: 'end',
    from: 'sm',
    cell: ({ suspended_at }) =>
      suspended_at && (
        <Badge tone="lost" icon={CirclePause}>
          {t('Suspended')}
        </Badge>
      ),
  },
];

function Integrations(): ReactNode {
  const [{ q, cursor }] = useOperatorSearch();
  const integrations = useIntegrations({ search: q, cursor });
  return (
    <div className="grid gap-4">
      <SearchBox
        label={t('Search integrations')}
        placeholder={t('Name of the integration or its business')}
      />
      <Loaded query={integrations}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState
              icon={Store}
              title={q ? t('Nothing was found') : t('No integration yet')}
              {...(q ? {} : { code: 'npm run florin -- integrations create "Corner shop"' })}
            >
              {q
                ? t('No integration and no business has this in its name.')
                : t(
                    'Merchants create integrations in the dashboard. One for yourself comes from the command line:',
                  )}
            </EmptyState>
          ) : (
            <IntegrationsTable page={page} stale={integrations.isPlaceholderData} />
          )
        }
      </Loaded>
    </div>
  );
}
