import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  Appeal,
  AppealSummary,
  AssetAmount,
  Author,
  Evidence,
  RefundPlan,
  Shares,
} from '../../../../../gateway/src/payments/api/console-answers/appeals.ts';
import { api } from '../../api/client.ts';
import { type Page, useList } from '../../api/list.ts';
import type { AppealsSearch } from './search.ts';

export type { Appeal, AppealSummary, AssetAmount, Author, Evidence, RefundPlan, Shares };

/** Appeals below `base`, newest first. */
export function useAppeals(base: string, search: AppealsSearch): UseQueryResult<Page<AppealSummary>> {
  const { status, reason, cursor } = search;
  return useList<AppealSummary>(base, { status, reason, cursor });
}

const refreshMs = 10_000;

/** One appeal, read again from time to time, because others may answer meanwhile. */
export function useAppeal(base: string, id: string): UseQueryResult<Appeal> {
  const path = `${base}/${id}`;
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<Appeal>(path, { signal }),
    refetchInterval: refreshMs,
  });
}
