import { choiceParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';
import { deliveryStatuses } from './types/delivery.ts';
import { eventTypes } from './types/event-types.ts';

const webhookTabs = ['endpoints', 'deliveries', 'verify'] as const;

export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>;

/** Reads what the address of this page says. */
export function readWebhooksSearch(raw: RawSearch) {
  return given({
    tab: choiceParam(raw.tab, webhookTabs),
    /** The endpoint in the drawer: its id, or `new`. */
    edit: textParam(raw.edit),
    /** The endpoint whose receiver is checked, or whose chaos is set, in a drawer. */
    check: textParam(raw.check),
    chaos: textParam(raw.chaos),
    /** The delivery in the drawer: the ids of its endpoint and its own, with a dot between. */
    delivery: textParam(raw.delivery),
    endpoint: textParam(raw.endpoint),
    status: choiceParam(raw.status, deliveryStatuses),
    type: choiceParam(raw.type, eventTypes),
    reference: textParam(raw.reference, 255),
    since: dayParam(raw.since),
    until: dayParam(raw.until),
    cursor: textParam(raw.cursor),
  });
}
