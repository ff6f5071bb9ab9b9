import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import type { Zone } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import type { Span } from './search.ts';

export type Currency = 'PI' | 'USDC' | 'USDT' | 'CSK';

type Counts = Partial<Record<PaymentStatus, number>>;
type Volume = Partial<Record<Currency, string>>;
type Success = { completed: number; ended: number; rate: number | null };

/** What was created on one day, and its completed amounts as decimal strings. */
export type OverviewDay = { day: string; from: string; to: string; counts: Counts; volume: Volume };

export type WebhookOverview = {
  endpoints: { active: number; paused: number; disabled: number };
  delivered: number;
  failed: number;
  rate: number | null;
  queued: number;
  hours: { hour: string; delivered: number; failed: number }[];
};

export type Overview = {
  days: number;
  zone: string;
  by_day: OverviewDay[];
  counts: Counts;
  volume: Volume;
  success: Success & { previous: Success };
  completion: { median_seconds: number | null; payments: number };
  now: { linked: number; pending: number; part_paid: number; in_appeal: number };
  webhooks: WebhookOverview;
};

export type OnboardingStep = {
  step: 'key' | 'payment' | 'completed' | 'endpoint' | 'verified' | 'approval_asked' | 'approved';
  title: string;
  help: string;
  done: boolean;
};

export type Onboarding = { steps: OnboardingStep[]; done: boolean };

const refreshMs = 10_000;

/** The overview in days of the zone that times are shown in; read anew while the page is looked at. */
export function useOverview(days: Span): UseQueryResult<Overview> {
  const { path } = useScope();
  const query = { days, zone: zoneName(useZone()) };
  return useFresh<Overview>(path('/overview'), query);
}

export function useOnboarding(): UseQueryResult<Onboarding> {
  return useFresh<Onboarding>(useScope().path('/onboarding'), {});
}

function useFresh<T>(path: string, query: Record<string, string>): UseQueryResult<T> {
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<T>(withQuery(path, query), { signal }),
    refetchInterval: refreshMs,
    // Other days of the same integration stay until these have come; another integration's do not.
    placeholderData: (last, query) => (query?.queryKey[0] === path ? keepPreviousData(last) : undefined),
  });
}

function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
