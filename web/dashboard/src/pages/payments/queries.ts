import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type {
  Attempt,
  Delivery,
  LedgerLine,
  PaymentDetail,
  PaymentEvent,
  PaymentLine,
  PaymentTotals,
  Transfer,
} from '../../../../../gateway/src/payments/api/console-answers/payments.ts';
import type { ResentEvents } from '../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../api/client.ts';
import { dayRange } from '../../api/day-range.ts';
import { type Page, type Query, useList, withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import { serverNow } from '../../format/server-clock.ts';
import type { Zone } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';
import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import { useAct } from '../../ui/toast/act.ts';
import type { PaymentsSearch } from './search.ts';

export type {
  Attempt,
  Delivery,
  LedgerLine,
  PaymentDetail,
  PaymentEvent,
  PaymentLine,
  PaymentTotals,
  Transfer,
};

/** The filters of the address as the console API takes them. */
export function filterQuery(search: PaymentsSearch, zone: Zone): Query {
  return {
    q: search.q,
    status: search.status?.join(','),
    currency: search.currency?.join(','),
    unusual: search.unusual,
    min_amount: search.min,
    max_amount: search.max,
    ...dayRange(search.from, search.to, zone),
    customer: search.customer,
    link: search.link,
  };
}

export function usePayments(search: PaymentsSearch): UseQueryResult<Page<PaymentLine>> {
  const query = filterQuery(search, useZone());
  return useList<PaymentLine>(useScope().path('/payments'), { ...query, cursor: search.cursor });
}

/** How many payments the other filters want, and their amounts, by status and currency. */
export function usePaymentTotals({ status: _, ...search }: PaymentsSearch): UseQueryResult<PaymentTotals> {
  const path = useScope().path('/totals/payments');
  const query = filterQuery(search, useZone());
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<PaymentTotals>(withQuery(path, query), { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Sends the newest event of each of these payments to the shop once more. */
export function useResend(): UseMutationResult<ResentEvents, unknown, string[]> {
  const { path } = useScope();
  return useAct(
    (references: string[]) =>
      api<ResentEvents>(path('/events/resend'), { method: 'POST', body: { references } }),
    {
      changes: [path('/payments'), path('/deliveries')],
      done: ({ count }) =>
        count === 0 ? t('Nothing was sent: no endpoint listens to these events') : t('Sent again'),
    },
  );
}

const movingStatuses: readonly PaymentStatus[] = ['unlinked', 'linked', 'pending'];
const lookAgainMs = 5_000;
/** After the last change the timeline still grows by webhook attempts and logged requests. */
const trailingMs = 60_000;

function isMoving({ payment_status, updated_at }: PaymentDetail): boolean {
  return (
    movingStatuses.includes(payment_status) || serverNow().getTime() - Date.parse(updated_at) < trailingMs
  );
}

/** One payment, read anew every few seconds until it has ended, and for a minute after. */
export function usePayment(reference: string): UseQueryResult<PaymentDetail> {
  const path = useScope().path(`/payments/${encodeURIComponent(reference)}`);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<PaymentDetail>(path, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? lookAgainMs : false),
  });
}

export function useCancel(reference: string): UseMutationResult<unknown, unknown, void> {
  const path = useScope().path('/payments');
  return useAct(() => api(`${path}/${encodeURIComponent(reference)}/cancel`, { method: 'POST' }), {
    changes: [path],
    done: t('Cancelled'),
  });
}
