import { everyItem } from './pages.ts';
import type { Request, WriteOptions } from './request.ts';
import type { Delivery, EventType, Page, PageFilter, Replay, WebhookEndpoint } from './types.ts';

type EndpointInput = { url: string; events?: EventType[] };
type EndpointChange = { url?: string; events?: EventType[]; status?: 'active' | 'paused' };

/** The calls on webhook endpoints (contract.md 4 and 7). Each throws FlorinError. */
export function webhookEndpointCalls(request: Request) {
  const pathOf = (id: string, rest = '') => `/webhook-endpoints/${encodeURIComponent(id)}${rest}`;
  const deliveries = (id: string, filter: PageFilter = {}) =>
    request<Page<Delivery>>({ method: 'GET', path: pathOf(id, '/deliveries'), query: filter });

  return {
    list: (filter: PageFilter = {}) =>
      request<Page<WebhookEndpoint>>({ method: 'GET', path: '/webhook-endpoints', query: filter }),

    /** Makes an endpoint, active at once. Its `secret` is in this answer and never shown again. */
    create: (input: EndpointInput, options: WriteOptions = {}) =>
      request<WebhookEndpoint>({ method: 'POST', path: '/webhook-endpoints', body: input, ...options }),

    get: (id: string) => request<WebhookEndpoint>({ method: 'GET', path: pathOf(id) }),

    /** Changes the address or the events, pauses an endpoint, or makes one active again. */
    update: (id: string, change: EndpointChange, options: WriteOptions = {}) =>
      request<WebhookEndpoint>({ method: 'PATCH', path: pathOf(id), body: change, ...options }),

    delete: async (id: string, options: WriteOptions = {}): Promise<void> => {
      await request({ method: 'DELETE', path: pathOf(id), ...options });
    },

    /** Gives a new `secret`; the old one goes on signing beside it for `overlap_seconds` (a day, 0 to 7). */
    rollSecret: (id: string, input: { overlap_seconds?: number } = {}, options: WriteOptions = {}) =>
      request<WebhookEndpoint>({ method: 'POST', path: pathOf(id, '/roll-secret'), body: input, ...options }),

    /** Sends a made-up event (test mode); its payment_reference begins `TEST_`. */
    test: (id: string, input: { event_type?: EventType } = {}, options: WriteOptions = {}) =>
      request<{ event_id: string }>({ method: 'POST', path: pathOf(id, '/test'), body: input, ...options }),

    /** One page of deliveries with their attempts, newest first. */
    deliveries,

    /** Every delivery, newest first. */
    deliveriesAll: (id: string, filter: PageFilter = {}) =>
      everyItem((page: PageFilter) => deliveries(id, page), filter),

    /**
     * Sends the failed deliveries once more, and the events that the endpoint missed while it was paused or disabled:
     * all, or those `since` an ISO 8601 time. Thousands go on after the answer; `replayProgress` tells how far.
     */
    replay: (
      id: string,
      input: { since?: string; only?: 'failed' | 'missed' } = {},
      options: WriteOptions = {},
    ) => request<Replay>({ method: 'POST', path: pathOf(id, '/replay'), body: input, ...options }),

    /** How far the endpoint's last replay came; null when there was none. */
    replayProgress: (id: string) => request<Replay | null>({ method: 'GET', path: pathOf(id, '/replay') }),
  };
}
