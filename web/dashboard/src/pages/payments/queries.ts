import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { dayRange } from '../../api/day-range.ts';
import { type Page, type Query, useList } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';
import type { Zone } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import { useAct } from '../../ui/toast/act.ts';
import type { FaultKind } from '../webhooks/types/chaos.ts';
import type { PaymentsSearch, Unusual } from './search.ts';
import type { TimelineEntry } from './timeline-entry.ts';

/** A payment in the list. Amounts are decimal strings in its currency, times ISO. */
export type PaymentLine = {
  id: string;
  payment_reference: string;
  amount: string;
  currency: string;
  payment_status: PaymentStatus;
  reason: string | null;
  unusual: Unusual[];
  amount_due: string;
  service_fee: string;
  fee_payer: 'merchant' | 'customer';
  customer_email: string | null;
  customer_reference: string | null;
  success_url: string | null;
  failure_url: string | null;
  item_list: { items: { name: string; price: number; quantity: number }[] } | null;
  meta_data: string | null;
  payment_note: string | null;
  deadline: string;
  created_at: string;
  updated_at: string;
};

/** A transfer that a rail saw; its amount is in its own asset. */
export type Transfer = {
  transaction: string;
  asset: string;
  amount: string;
  confirmations: number;
  needed: number;
  state: 'seen' | 'final' | 'gone';
  network: string;
  /** On a block explorer, where there is one. */
  transaction_url: string | null;
  sender: string | null;
  sender_url: string | null;
  counts: boolean;
  late: boolean;
  seen_at: string;
};

export type Attempt = {
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  injected_fault: FaultKind | null;
  response: string | null;
};

export type Delivery = {
  id: string;
  endpoint_id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  attempts: Attempt[];
};

export type PaymentEvent = {
  event_id: string;
  event_type: string;
  sequence: number;
  created_at: string;
  body: string;
  deliveries: Delivery[];
};

export type LedgerLine = {
  id: string;
  at: string;
  asset: string;
  amount: string;
  cause: string;
  from: string;
  to: string;
};

export type PaymentDetail = PaymentLine & {
  /** Null for those who may not act for the customer. */
  page_url: string | null;
  amount_received: string;
  amount_missing: string;
  surplus: string;
  method: string | null;
  completed_at: string | null;
  late_until: string | null;
  transfers: Transfer[];
  claims: { at: string; kind: 'paid' | 'dispute'; content: string }[];
  events: PaymentEvent[];
  ledger: LedgerLine[];
  timeline: TimelineEntry[];
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
  };
}

export function usePayments(search: PaymentsSearch): UseQueryResult<Page<PaymentLine>> {
  const query = filterQuery(search, useZone());
  return useList<PaymentLine>(useScope().path('/payments'), { ...query, cursor: search.cursor });
}

const movingStatuses: readonly PaymentStatus[] = ['unlinked', 'linked', 'pending'];
const lookAgainMs = 5_000;
/** After its last change the timeline still grows: webhooks are tried, and the log of requests is written. */
const trailingMs = 60_000;

function isMoving({ payment_status, updated_at }: PaymentDetail): boolean {
  return movingStatuses.includes(payment_status) || Date.now() - Date.parse(updated_at) < trailingMs;
}

/** One payment, read anew every few seconds while it is on its way, and for a minute after. */
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
    done: 'Cancelled',
  });
}
