import type {
  EventType,
  PageFilter,
  ReplayInput,
  WebhookEndpointChange,
  WebhookEndpointInput,
} from './api-webhooks.ts';
import type { CallOptions } from './exchange.ts';
import { everyItem } from './pages.ts';
import type { Call, WriteOptions } from './request.ts';

/** The calls on webhook endpoints (contract.md#webhooks and #calls). Each throws FlorinError. */
export function webhookEndpointCalls(call: Call) {
  const deliveries = (id: string, filter: PageFilter = {}, options: CallOptions = {}) =>
    call('GET /webhook-endpoints/{id}/deliveries', { path: [id], query: filter, ...options });

  return {
    /** All of them: an integration has few. */
    list: (options: CallOptions = {}) => call('GET /webhook-endpoints', options),

    /** Makes an endpoint, active at once. Its `secret` is in this answer and never shown again. */
    create: (input: WebhookEndpointInput, options: WriteOptions = {}) =>
      call('POST /webhook-endpoints', { body: input, ...options }),

    get: (id: string, options: CallOptions = {}) =>
      call('GET /webhook-endpoints/{id}', { path: [id], ...options }),

    /** Changes the address or the events, pauses an endpoint, or makes one active again. */
    update: (id: string, change: WebhookEndpointChange, options: WriteOptions = {}) =>
      call('PATCH /webhook-endpoints/{id}', { path: [id], body: change, ...options }),

    delete: async (id: string, options: WriteOptions = {}): Promise<void> => {
      await call('DELETE /webhook-endpoints/{id}', { path: [id], ...options });
    },

    /** Gives a new `secret`; the old one keeps signing beside it for `overlap_seconds` (a day, 0 to 7). */
    rollSecret: (
      id: string,
      input: { overlap_seconds?: number | undefined } = {},
      options: WriteOptions = {},
    ) => call('POST /webhook-endpoints/{id}/roll-secret', { path: [id], body: input, ...options }),

    /** Ends the overlap: only the newest secret signs from now on, and the old ones no longer count. */
    endOverlap: (id: string, options: WriteOptions = {}) =>
      call('POST /webhook-endpoints/{id}/end-overlap', { path: [id], ...options }),

    /** Sends a made-up event (test mode); its payment_reference begins `TEST_`. */
    test: (id: string, input: { event_type?: EventType | undefined } = {}, options: WriteOptions = {}) =>
      call('POST /webhook-endpoints/{id}/test', { path: [id], body: input, ...options }),

    /** One page of deliveries with their attempts, newest first. */
    deliveries,

    /** Every delivery, newest first. */
    deliveriesAll: (id: string, filter: PageFilter = {}, options: CallOptions = {}) =>
      everyItem((page: PageFilter) => deliveries(id, page, options), filter),

    /**
     * Sends failed deliveries again, and those that are held for a paused endpoint: all, or those `since` an ISO 8601
     * time. A large replay continues after the answer; `replayProgress` returns its progress.
     */
    replay: (id: string, input: ReplayInput = {}, options: WriteOptions = {}) =>
      call('POST /webhook-endpoints/{id}/replay', { path: [id], body: input, ...options }),

    /** The progress of the endpoint's last replay; null when there was none. */
    replayProgress: (id: string, options: CallOptions = {}) =>
      call('GET /webhook-endpoints/{id}/replay', { path: [id], ...options }),
  };
}
