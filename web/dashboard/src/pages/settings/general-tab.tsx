import type { ReactNode } from 'react';
import { useMay } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { ContactCard } from './contact-card.tsx';
import { DefaultsCard } from './defaults-card.tsx';
import { DomainCard } from './domain-card.tsx';
import { PricesCard } from './prices-card.tsx';
import { useSettings } from './queries.ts';
import { ReceiptCard } from './receipt-card.tsx';

/** The name, contact and domain of an integration, and the defaults of payments. */
export function GeneralTab(): ReactNode {
  const settings = useSettings();
  const may = useMay('manage integrations');
  if (settings.isPending) return <SkeletonRows />;
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  return (
    <>
      {!may && <Banner>{t('Your role may read these settings, but not change them.')}</Banner>}
      <DefaultsCard settings={settings.data} may={may} />
      <PricesCard settings={settings.data} may={may} />
      <ContactCard settings={settings.data} may={may} />
      <ReceiptCard settings={settings.data} may={may} />
      <DomainCard settings={settings.data} may={may} />
    </>
  );
}
