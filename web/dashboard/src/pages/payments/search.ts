import { given, type RawSearch, textParam } from '../../api/search.ts';

export type PaymentsSearch = ReturnType<typeof readPaymentsSearch>;

/** Reads what the address of this page says. */
export function readPaymentsSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor), q: textParam(raw.q) });
}
