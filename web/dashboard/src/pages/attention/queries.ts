import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  MerchantAttention,
  OperatorAttention,
} from '../../../../../gateway/src/operations/attention/answers.ts';
import { api } from '../../api/client.ts';
import type { Mode } from '../../api/scope.ts';

export type { MerchantAttention, OperatorAttention };

const lookAgainMs = 30_000;

/** What waits for a person of this integration in one mode; read again while the dashboard is looked at. */
export function useMerchantAttention(
  integration: string | undefined,
  mode: Mode,
): UseQueryResult<MerchantAttention> {
  const path = `/console/integrations/${integration}/${mode}/attention`;
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<MerchantAttention>(path, { signal }),
    enabled: integration !== undefined,
    refetchInterval: lookAgainMs,
  });
}

/** What waits for an operator over the whole installation. */
export function useOperatorAttention(isOperator: boolean): UseQueryResult<OperatorAttention> {
  const path = '/console/operator/attention';
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<OperatorAttention>(path, { signal }),
    enabled: isOperator,
    refetchInterval: lookAgainMs,
  });
}
