import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  LoggedExchange,
  LoggedRequest,
  RequestPage as Requests,
} from '../../../../../gateway/src/identity/console/answers/keys.ts';
import type {
  Happened,
  TestClock,
  WaitingItem,
} from '../../../../../gateway/src/test-clock/console-answers.ts';
import { api } from '../../api/client.ts';
import { dayRange } from '../../api/day-range.ts';
import { useRead, withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { useZone } from '../../format/time-zone.ts';
import type { DevelopersSearch } from './search.ts';

export type { Happened, LoggedExchange, LoggedRequest, Requests, TestClock, WaitingItem };

export function useRequests(search: DevelopersSearch): UseQueryResult<Requests> {
  const { path } = useScope();
  const { status, method, key, q, from, to, cursor } = search;
  const query = { status, method, key, q, ...dayRange(from, to, useZone()), cursor };
  return useQuery({
    queryKey: [path('/requests'), query],
    queryFn: ({ signal }) => api<Requests>(withQuery(path('/requests'), query), { signal }),
    placeholderData: keepPreviousData,
  });
}

export function useRequest(id: string): UseQueryResult<LoggedExchange> {
  return useRead<LoggedExchange>(useScope().path(`/requests/${id}`));
}

export function useTestClock(): UseQueryResult<TestClock> {
  return useRead<TestClock>(useScope().path('/clock'));
}
