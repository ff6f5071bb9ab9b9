import type { EventFilter } from './api-webhooks.ts';
import type { CallOptions } from './exchange.ts';
import { everyItem } from './pages.ts';
import type { Call, WriteOptions } from './request.ts';

/** The calls on events (contract.md#calls). Each throws FlorinError. */
export function eventCalls(call: Call) {
  const list = (filter: EventFilter = {}, options: CallOptions = {}) =>
    call('GET /events', { query: filter, ...options });

  return {
    /** One page of events, newest first. */
    list,

    /** Every event that is still kept, newest first. */
    listAll: (filter: EventFilter = {}, options: CallOptions = {}) =>
      everyItem((page: EventFilter) => list(page, options), filter),

    get: (eventId: string, options: CallOptions = {}) =>
      call('GET /events/{id}', { path: [eventId], ...options }),

    /** Sends the event again, the same bytes with the same `event_id`; returns to how many endpoints. */
    resend: (eventId: string, options: WriteOptions = {}) =>
      call('POST /events/{id}/resend', { path: [eventId], ...options }),
  };
}
