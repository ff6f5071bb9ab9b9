import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Counted } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../../api/client.ts';
import { withQuery } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { serverNow } from '../../../format/server-clock.ts';
import { t } from '../../../texts/t.ts';
import type { Replay } from '../types/endpoint.ts';

export type { Counted };

/** What is sent again: deliveries that failed, those that are held, or both. */
export type ReplayWish = { only?: 'failed' | 'missed' | undefined; since?: string | undefined };

const hourMs = 3_600_000;

/** How much a replay would send, of the last `hours` where they are given. Counted anew each time. */
export function useReplayCount(
  endpoint: string,
  only: ReplayWish['only'],
  hours: number | undefined,
): UseQueryResult<Counted> {
  const path = useScope().path(`/webhooks/${endpoint}/replay/preview`);
  return useQuery({
    queryKey: [path, { only, hours }],
    queryFn: ({ signal }) => {
      const since =
        hours === undefined ? undefined : new Date(serverNow().getTime() - hours * hourMs).toISOString();
      return api<Counted>(withQuery(path, { only, since }), { signal });
    },
    staleTime: 0,
    gcTime: 0,
  });
}

const watchMs = 1_000;

/** How far an endpoint's replay has come, while `isOn`. */
export function useReplay(endpoint: string, isOn: boolean): UseQueryResult<Replay | null> {
  const path = useScope().path(`/webhooks/${endpoint}/replay`);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<Replay | null>(path, { signal }),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : watchMs),
  });
}

/** `1,204`; `more than 100,000` where counting ended. */
export function countText(count: number, countedUpTo = Number.POSITIVE_INFINITY): string {
  return count > countedUpTo
    ? t('more than {countedUpTo}', { countedUpTo: countedUpTo.toLocaleString('en') })
    : count.toLocaleString('en');
}

/** The list of endpoints counts up to this. */
const maxMissed = 10_000;

/** How many events an endpoint missed: `1,204`, `10,000 or more`. */
export function missedText(count: number): string {
  return count >= maxMissed
    ? t('{maxMissed} or more', { maxMissed: maxMissed.toLocaleString('en') })
    : count.toLocaleString('en');
}
