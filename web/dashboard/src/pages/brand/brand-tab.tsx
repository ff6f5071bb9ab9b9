import type { ReactNode } from 'react';
import { useMay } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { BrandCard } from './brand-card.tsx';
import { LogoCard } from './logo-card.tsx';
import { PageDomainCard } from './page-domain-card.tsx';
import { useSettings } from './queries.ts';

/** What the page on which customers pay shows of the merchant's own brand. */
export function BrandTab(): ReactNode {
  const settings = useSettings();
  const may = useMay('manage integrations');
  if (settings.isPending) return <SkeletonRows />;
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  return (
    <>
      {!may && <Banner>{t('Your role may read these settings, but not change them.')}</Banner>}
      <LogoCard settings={settings.data} may={may} />
      <BrandCard settings={settings.data} may={may} />
      <PageDomainCard may={may} />
    </>
  );
}
