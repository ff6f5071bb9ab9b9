import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  Onboarding,
  Overview,
  OverviewDay,
} from '../../../../../gateway/src/payments/api/console-answers/overview.ts';
import type { Currency } from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import type { WebhookOverview } from '../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../api/client.ts';
import { withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import type { Zone } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import type { Span } from './search.ts';

export type { Currency, Onboarding, Overview, OverviewDay, WebhookOverview };

const refreshMs = 10_000;
/** Somebody waits for the next tick. */
const stepsMs = 3_000;

/** The overview in days of the zone that times are shown in; read anew while the page is looked at. */
export function useOverview(days: Span): UseQueryResult<Overview> {
  const { path } = useScope();
  const query = { days, zone: zoneName(useZone()) };
  return useFresh<Overview>(path('/overview'), query);
}

export function useOnboarding(): UseQueryResult<Onboarding> {
  const path = useScope().path('/onboarding');
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => api<Onboarding>(path, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.done ? false : stepsMs),
  });
}

function useFresh<T>(path: string, query: Record<string, string>): UseQueryResult<T> {
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<T>(withQuery(path, query), { signal }),
    refetchInterval: refreshMs,
    // The days shown before stay until these are loaded, but not those of another integration.
    placeholderData: (last, query) => (query?.queryKey[0] === path ? keepPreviousData(last) : undefined),
  });
}

function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
