import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import type { Page } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import type { Endpoint } from '../types/endpoint.ts';

/** While an endpoint is sent what it missed. */
const watchMs = 5_000;

/** The endpoints; read again while one of them is being sent what it missed. */
export function useEndpoints(): UseQueryResult<Page<Endpoint>> {
  const path = useScope().path('/webhooks');
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => api<Page<Endpoint>>(path, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((each) => each.catching_up || each.replay?.status === 'running')
        ? watchMs
        : false,
  });
}
