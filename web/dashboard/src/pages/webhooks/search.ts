import { given, type RawSearch, textParam } from '../../api/search.ts';

export type WebhooksSearch = ReturnType<typeof readWebhooksSearch>;

/** Reads what the address of this page says. */
export function readWebhooksSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor), tab: textParam(raw.tab) });
}
