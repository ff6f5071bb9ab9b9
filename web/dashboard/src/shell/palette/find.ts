import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  FoundPayment,
  FoundPayments,
} from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import { api } from '../../api/client.ts';
import { withQuery } from '../../api/list.ts';

export type { FoundPayment };

const shortest = 3;

/** Payments of both modes of an integration that the words may stand for. */
export function useFound(integration: string | undefined, words: string): UseQueryResult<FoundPayments> {
  const path = `/console/integrations/${integration}/find`;
  return useQuery({
    queryKey: [path, { q: words }],
    queryFn: ({ signal }) => api<FoundPayments>(withQuery(path, { q: words }), { signal }),
    enabled: integration !== undefined && words.length >= shortest,
    placeholderData: keepPreviousData,
  });
}
