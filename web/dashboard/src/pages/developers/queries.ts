import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { dayRange } from '../../api/day-range.ts';
import { type Page, useRead, withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { useZone } from '../../format/time-zone.ts';
import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import type { DevelopersSearch } from './search.ts';

export type LoggedRequest = {
  id: string;
  at: string;
  method: string;
  /** As it is registered, and as it was asked for. */
  route: string;
  path: string;
  status: number;
  duration_ms: number;
  key: { id: string; hint: string | null };
  address: string;
  request_id: string;
  error: string | null;
  payment_reference: string | null;
};

export type LoggedExchange = LoggedRequest & {
  request_body: string | null;
  request_cut: boolean;
  response_body: string | null;
  response_cut: boolean;
};

/** `dropped`: how many requests of these days came too fast to be written down. */
export type Requests = Page<LoggedRequest> & { dropped: number };

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

/** A deadline, a step of the simulated chain, or a webhook that is tried again; seconds are real ones. */
export type WaitingItem = { payment_reference: string; in_seconds: number } & (
  | { kind: 'payment'; what: PaymentStatus }
  | { kind: 'chain'; what: 'seen' | 'final' | 'gone' | 'fail' | 'expire' | 'dispute' }
  | { kind: 'webhook'; what: string }
);

export type TestClock = {
  now: string;
  ahead_seconds: number;
  waiting: { items: WaitingItem[]; more: boolean };
};

/** What moving the clock on did. */
export type Happened = {
  payments: { payment_reference: string; from: PaymentStatus; to: PaymentStatus }[];
  chain_steps: number;
  webhooks_tried: number;
};

export function useTestClock(): UseQueryResult<TestClock> {
  return useRead<TestClock>(useScope().path('/clock'));
}
