import { getRouteApi } from '@tanstack/react-router';
import { Blocks, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMerchant } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CreateIntegration } from './create-integration.tsx';
import { IntegrationCard } from './integration-card.tsx';
import { useIntegrations } from './queries.ts';

const route = getRouteApi('/shell/m/$merchant/integrations');

/** The apps of a business that take payments. */
export function IntegrationsPage(): ReactNode {
  const merchant = useMerchant();
  const may = useMay('manage integrations');
  const [isMaking, setMaking] = useState(route.useSearch().new !== undefined && may);
  const list = useIntegrations(merchant.id);
  const items = list.data?.items ?? [];
  const make = (
    <Button variant="primary" disabled={!may} onClick={() => setMaking(true)}>
      <Plus size={16} aria-hidden /> {t('New integration')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('Integrations')}
        description={t(
          'The apps and shops of {name} that take payments, each with its own keys and webhooks.',
          { name: merchant.name },
        )}
        actions={items.length > 0 && make}
      />
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState icon={Blocks} title={t('Create your first integration')} action={make}>
          {may
            ? t(
                'You get a test key at once, and can take a test payment within a minute. No real money moves in test mode.',
              )
            : t('Your role may not create one. Ask an owner or a developer of the business.')}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {items.map((item) => (
            <IntegrationCard key={item.id} item={item} />
          ))}
        </ul>
      )}
      <CreateIntegration merchantId={merchant.id} open={isMaking} onClose={() => setMaking(false)} />
    </>
  );
}
