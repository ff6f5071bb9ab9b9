import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useMerchantAttention } from '../attention/queries.ts';
import { useBalances } from '../balances/queries.ts';
import { CoinBalances } from './coin-balances.tsx';
import { Figures } from './figures.tsx';
import { NoEndpoint } from './no-endpoint.tsx';
import { useOnboarding, useOverview, type WebhookOverview } from './queries.ts';
import { SpanSwitch } from './span-switch.tsx';
import { FirstSteps } from './steps/first-steps.tsx';
import { WaitsHere } from './waits-here.tsx';
import { areWell, WebhooksLine } from './webhooks-line.tsx';

const loadChart = () => import('./came-in-chart.tsx');
const CameInChart = lazy(async () => ({ default: (await loadChart()).CameInChart }));
const WebhooksChart = lazy(async () => ({ default: (await import('./webhooks-chart.tsx')).WebhooksChart }));
// The chart loads beside the figures. Where this fails, rendering it loads again and shows the error.
loadChart().catch(() => {});

/** What waits for a person, three figures and a chart of what came in, balances and webhooks; the first steps while some are left. */
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
      {!isLoading && <FirstSteps key={`${integrationId} ${mode}`} steps={steps} />}
      {overview.data && attention.data && balances.data && !isLoading && hasPayments && (
        <>
          <WaitsHere attention={attention.data} />
          <Figures overview={overview.data} />
          <Suspense fallback={<Skeleton className="h-96 rounded-xl" />}>
            <CameInChart overview={overview.data} />
          </Suspense>
          <CoinBalances balances={balances.data} />
          <Webhooks webhooks={overview.data.webhooks} />
        </>
      )}
    </>
  );
}

function Webhooks({ webhooks }: { webhooks: WebhookOverview }): ReactNode {
  const { active, paused, disabled } = webhooks.endpoints;
  if (active + paused + disabled === 0) return <NoEndpoint />;
  if (areWell(webhooks)) return <WebhooksLine webhooks={webhooks} />;
  return (
    <Suspense fallback={<Skeleton className="h-72 rounded-xl" />}>
      <WebhooksChart webhooks={webhooks} />
    </Suspense>
  );
}

/** As tall as what is shown then, so that the page does not jump. */
function OverviewSkeleton(): ReactNode {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{t('Loading')}</span>
      <Skeleton className="h-12 rounded-xl" />
      <div className="grid gap-3 sm:grid-cols-3">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton key={key} className="h-25 rounded-xl" />
        ))}
      </div>
      <Skeleton className="h-96 rounded-xl" />
      <Skeleton className="h-48 rounded-xl" />
    </div>
  );
}
