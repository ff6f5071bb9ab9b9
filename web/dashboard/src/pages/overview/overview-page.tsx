import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { OnboardingList } from './onboarding.tsx';
import { useOnboarding, useOverview } from './queries.ts';
import { SpanSwitch } from './span-switch.tsx';
import { Stats } from './stats.tsx';

const loadCharts = () => import('./charts.tsx');
const Charts = lazy(async () => ({ default: (await loadCharts()).Charts }));
// The charts load beside the figures. Where this fails, rendering them loads again and shows the error.
loadCharts().catch(() => {});

/** Figures and charts of the payments, and the first steps while some are left. */
export function OverviewPage(): ReactNode {
  const { days = '30' } = useSearch({ from: '/shell/i/$integration/$mode/overview' });
  const overview = useOverview(days);
  const onboarding = useOnboarding();
  const steps = onboarding.data?.steps ?? [];
  const hasPayments = steps.some(({ step, done }) => step === 'payment' && done);
  const error = overview.error ?? onboarding.error;
  if (error && !(overview.data && onboarding.data)) {
    return (
      <>
        <PageHeader title="Overview" />
        <ErrorState
          error={error}
          onRetry={() => void Promise.all([overview.refetch(), onboarding.refetch()])}
        />
      </>
    );
  }
  const isLoading = !overview.data || !onboarding.data;
  return (
    <>
      <PageHeader title="Overview" actions={hasPayments && <SpanSwitch days={days} />} />
      {isLoading && <OverviewSkeleton />}
      {!isLoading && <OnboardingList steps={steps} />}
      {overview.data && hasPayments && (
        <>
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
      <span className="sr-only">Loading</span>
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
