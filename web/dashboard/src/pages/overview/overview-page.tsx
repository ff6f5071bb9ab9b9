import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useMerchantAttention } from '../attention/queries.ts';
import { useBalances } from '../balances/queries.ts';
import { OnboardingList } from './onboarding.tsx';
import { OwnBalances } from './own-balances.tsx';
import { useOnboarding, useOverview } from './queries.ts';
import { SpanSwitch } from './span-switch.tsx';
import { Stats } from './stats.tsx';
import { WaitsHere } from './waits-here.tsx';

const loadCharts = () => import('./charts.tsx');
const Charts = lazy(async () => ({ default: (await loadCharts()).Charts }));
// The charts load beside the figures. Where this fails, rendering them loads again and shows the error.
loadCharts().catch(() => {});

/** What waits for a person, the balances, then figures and charts of the payments; the first steps while some are left. */
export function OverviewPage(): ReactNode {
  const { days = '30' } = useSearch({ from: '/shell/i/$integration/$mode/overview' });
  const overview = useOverview(days);
  const onboarding = useOnboarding();
  const { integrationId, mode } = useScope();
  const attention = useMerchantAttention(integrationId, mode);
  const balances = useBalances();
  const steps = onboarding.data?.steps ?? [];
  const hasPayments = steps.some(({ step, done }) => step === 'payment' && done);
  const reads = [overview, onboarding, attention, balances];
  const error = reads.find((read) => read.error)?.error;
  const isLoading = reads.some((read) => read.data === undefined);
  if (error && isLoading) {
    return (
      <>
        <PageHeader title={t('Overview')} />
        <ErrorState error={error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('Overview')} actions={!isLoading && hasPayments && <SpanSwitch days={days} />} />
      {isLoading && <OverviewSkeleton />}
      {!isLoading && <OnboardingList steps={steps} />}
      {overview.data && attention.data && balances.data && !isLoading && hasPayments && (
        <>
          <WaitsHere attention={attention.data} />
          <OwnBalances totals={balances.data.totals} />
          <Stats overview={overview.data} />
          <Suspense fallback={<ChartsSkeleton />}>
            <Charts overview={overview.data} />
          </Suspense>
        </>
      )}
    </>
  );
}

function OverviewSkeleton(): ReactNode {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{t('Loading')}</span>
      <Skeleton className="h-12 rounded-xl" />
      <Skeleton className="h-20 rounded-xl" />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} className="h-25 rounded-xl" />
        ))}
      </div>
      <ChartsSkeleton />
    </div>
  );
}

/** As tall as the charts, so that the page does not jump when they load. */
function ChartsSkeleton(): ReactNode {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-96 rounded-xl lg:col-span-2" />
      <Skeleton className="h-80 rounded-xl" />
      <Skeleton className="h-80 rounded-xl" />
    </div>
  );
}
