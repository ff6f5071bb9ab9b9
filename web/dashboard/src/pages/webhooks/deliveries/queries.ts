import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { dayRange } from '../../../api/day-range.ts';
import { type Page, type Query, useRead, withQuery } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';
import type { Zone } from '../../../format/time-text.ts';
import type { Delivery, DeliveryDetail, PaymentEvent } from '../types/delivery.ts';

/** A delivery that waits may change within seconds. */
const watchMs = 5_000;
/** Pages that were looked through without finding anything before the person is asked. */
const maxEmptyPages = 5;

/** What the address says of the deliveries to show; the days are dates: `2026-11-20`. */
export type DeliverySearch = {
  [name in 'endpoint' | 'status' | 'type' | 'reference' | 'since' | 'until' | 'cursor']?: string;
};

/** The query of the deliveries that the address asks for. */
export function deliveryQuery(search: DeliverySearch, zone: Zone): Query {
  const { endpoint, status, type, reference, cursor } = search;
  const { from: since, to: until } = dayRange(search.since, search.until, zone);
  return { endpoint, status, type, reference, since, until, cursor };
}

/**
 * A page of deliveries. Where a rare kind is looked for among millions, a page may be empty though older ones
 * follow: some of those are read at once. While one of them waits to be sent, the list is read again.
 */
export function useDeliveries(query: Query): UseQueryResult<Page<Delivery>> {
  const path = useScope().path('/deliveries');
  return useQuery({
    queryKey: [path, query],
    queryFn: async ({ signal }) => {
      let page = await api<Page<Delivery>>(withQuery(path, query), { signal });
      for (let n = 1; n < maxEmptyPages && page.items.length === 0 && page.next_cursor; n++) {
        page = await api<Page<Delivery>>(withQuery(path, { ...query, cursor: page.next_cursor }), { signal });
      }
      return page;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? watchMs : false,
  });
}

/** `name` is `{endpoint}.{delivery}`, as the address has it. */
export function useDelivery(name: string): UseQueryResult<DeliveryDetail> {
  const [endpoint = '', delivery = ''] = name.split('.');
  const path = useScope().path(`/webhooks/${endpoint}/deliveries/${delivery}`);
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => api<DeliveryDetail>(path, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? watchMs : false),
  });
}

/** The events of a payment, whether or not an endpoint subscribed to them. */
export function usePaymentEvents(reference: string): UseQueryResult<Page<PaymentEvent>> {
  return useRead<Page<PaymentEvent>>(useScope().path('/events'), { reference });
}
