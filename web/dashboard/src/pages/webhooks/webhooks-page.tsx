import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay, useScope } from '../../api/scope.ts';
import type { RawSearch } from '../../api/search.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useMerchantAttention } from '../attention/queries.ts';
import { ChaosDrawer } from './chaos/drawer.tsx';
import { CheckDrawer } from './check/drawer.tsx';
import { VerifyTab } from './check/verify-tab.tsx';
import { DeliveryDrawer } from './deliveries/drawer.tsx';
import { DeliveriesTab } from './deliveries/tab.tsx';
import { EndpointDrawer } from './endpoints/drawer.tsx';
import { NoEndpoints } from './endpoints/no-endpoints.tsx';
import { useEndpoints } from './endpoints/queries.ts';
import { EndpointsTab } from './endpoints/tab.tsx';
import { readWebhooksSearch } from './search.ts';

const route = getRouteApi('/shell/i/$integration/$mode/webhooks');

/** Webhook endpoints, and what was sent to them. */
export function WebhooksPage(): ReactNode {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { integrationId, mode } = useScope();
  const may = useMay('manage webhooks');
  const endpoints = useEndpoints();
  const attention = useMerchantAttention(integrationId, mode).data;
  const show = (change: RawSearch): Promise<void> =>
    navigate({ to: '.', search: readWebhooksSearch({ ...search, ...change }) });
  const items = endpoints.data?.items;
  const named = (id: string | undefined) => items?.find((endpoint) => endpoint.id === id);
  const checked = mode === 'test' ? named(search.check) : undefined;
  const disturbed = mode === 'test' ? named(search.chaos) : undefined;

  return (
    <>
      <PageHeader
        title={t('Webhooks')}
        description={t(
          'How your server learns what became of a payment, signed, and tried again until it is taken.',
        )}
        actions={
          may && (
            <Button variant="primary" onClick={() => show({ edit: 'new' })}>
              <Plus size={16} aria-hidden /> {t('Create an endpoint')}
            </Button>
          )
        }
      />
      {items ? (
        <Tabs
          label={t('Webhooks')}
          value={search.tab ?? 'endpoints'}
          onChange={(tab) => navigate({ to: '.', search: { tab } })}
          tabs={[
            {
              value: 'endpoints',
              label: t('Endpoints'),
              content: items.length === 0 ? <NoEndpoints mode={mode} /> : <EndpointsTab endpoints={items} />,
              waits: attention?.endpoints,
            },
            { value: 'deliveries', label: t('Deliveries'), content: <DeliveriesTab endpoints={items} /> },
            { value: 'verify', label: t('Verify'), content: <VerifyTab endpoints={items} /> },
          ]}
        />
      ) : endpoints.isError ? (
        <ErrorState error={endpoints.error} onRetry={() => endpoints.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
      <EndpointDrawer
        endpoint={named(search.edit)}
        open={search.edit === 'new' || named(search.edit) !== undefined}
        onClose={() => show({ edit: undefined })}
      />
      {checked && <CheckDrawer endpoint={checked} onClose={() => show({ check: undefined })} />}
      {disturbed && <ChaosDrawer endpoint={disturbed} onClose={() => show({ chaos: undefined })} />}
      {search.delivery !== undefined && (
        <DeliveryDrawer name={search.delivery} onClose={() => show({ delivery: undefined })} />
      )}
    </>
  );
}
