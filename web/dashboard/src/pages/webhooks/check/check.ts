import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CheckItem as Check } from '../../../../../../gateway/src/webhooks/receiver-check/answers.ts';
import { api } from '../../../api/client.ts';
import type { Page } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { useAct } from '../../../ui/toast/act.ts';

export type { Check };

export type Rule = Check['rules'][number];
export type Exchange = Check['exchanges'][number];
export type Advice = NonNullable<Check['diagnosis']>;
export type Verdict = Rule['verdict'];

/** Which example shows the fix. */
export type Snippet = NonNullable<Advice['snippet']>;

export type Score = Check['score'];

/** How often a check that is under way is looked at. */
const watchMs = 400;

/** The newest check of an endpoint, followed while it runs; null before the first one. */
export function useLastCheck(endpoint: string): UseQueryResult<Check | null> {
  const path = useScope().path(`/webhooks/${endpoint}/checks`);
  return useQuery({
    queryKey: [path],
    queryFn: async ({ client, queryKey, signal }) => {
      const known = client.getQueryData<Check | null>(queryKey);
      // While one runs, it alone is asked for: the list holds ten whole ones.
      if (known?.status === 'running') return await api<Check>(`${path}/${known.id}`, { signal });
      const { items } = await api<Page<Check>>(path, { signal });
      return items[0] ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? watchMs : false),
  });
}

/** Begins a check; the answer comes at once, and the check goes on. */
export function useStartCheck(endpoint: string): UseMutationResult<unknown, unknown, void> {
  const path = useScope().path(`/webhooks/${endpoint}/checks`);
  return useAct(() => api(path, { method: 'POST' }), { changes: [path] });
}
