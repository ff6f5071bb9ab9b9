import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { OperatorOverview } from '../../../../../../gateway/src/payments/api/console-answers/overview.ts';
import { api } from '../../../api/client.ts';

export type { OperatorOverview };

const path = '/console/operator/overview';
const lookAgainMs = 60_000;

/** How the installation earns in live mode. */
export function useOperatorOverview(): UseQueryResult<OperatorOverview> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<OperatorOverview>(path, { signal }),
    staleTime: lookAgainMs,
    refetchInterval: lookAgainMs,
  });
}
