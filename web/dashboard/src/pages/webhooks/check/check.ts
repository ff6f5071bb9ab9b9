import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import type { Page } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import { useAct } from '../../../ui/toast/act.ts';

/** `kept` and `broken` were seen from outside; `unclear` says what to look at. */
export type Verdict = 'kept' | 'broken' | 'unclear';

/** Which example shows the fix. */
export type Snippet = 'verify' | 'raw-body' | 'store-once' | 'answer-first' | 'ignore-unknown';

export type Advice = {
  title: string;
  /** What was sent and what came back. */
  evidence: string;
  /** What to change, or where to look; empty when there is nothing to do. */
  fix: string;
  snippet: Snippet | null;
};

export type Rule = Advice & { rule: string; verdict: Verdict };

/** One delivery that the receiver was tried with. */
export type Exchange = {
  name: string;
  title: string;
  /** What a right receiver answers to it, and why. */
  expects: string;
  /** Null: either answer may be right, or none came in time. */
  as_expected: boolean | null;
  /** How many were sent at the same moment; what follows tells of the worst. */
  times: number;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
};

export type Score = Record<Verdict, number>;

export type Check = {
  id: string;
  status: 'running' | 'done' | 'stopped';
  url: string;
  started_at: string;
  finished_at: string | null;
  /** How many exchanges there will be. */
  planned: number;
  score: Score;
  /** What is wrong with everything, to be mended first. */
  diagnosis: Advice | null;
  rules: Rule[];
  exchanges: Exchange[];
};

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
