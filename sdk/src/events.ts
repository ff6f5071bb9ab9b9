import { everyItem } from './pages.ts';
import type { Request, WriteOptions } from './request.ts';
import type { EventType, Page, PageFilter, StoredEvent } from './types.ts';

type EventFilter = PageFilter & { type?: EventType };

/** The calls on events (contract.md 7). Each throws FlorinError. */
export function eventCalls(request: Request) {
  const pathOf = (eventId: string) => `/events/${encodeURIComponent(eventId)}`;
  const list = (filter: EventFilter = {}) =>
    request<Page<StoredEvent>>({ method: 'GET', path: '/events', query: filter });

  return {
    /** One page of events, newest first. */
    list,
    /** Every event that is still kept, newest first. */
    listAll: (filter: EventFilter = {}) => everyItem(list, filter),
    get: (eventId: string) => request<StoredEvent>({ method: 'GET', path: pathOf(eventId) }),
    /** Sends the event once more, the same bytes with the same `event_id`, to every endpoint that wants it. */
    resend: async (eventId: string, options: WriteOptions = {}): Promise<void> => {
      await request({ method: 'POST', path: `${pathOf(eventId)}/resend`, ...options });
    },
  };
}
