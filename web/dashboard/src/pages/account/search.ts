import { given, type RawSearch, textParam } from '../../api/search.ts';

export type AccountSearch = ReturnType<typeof readAccountSearch>;

/** Reads what the address of this page says. */
export function readAccountSearch(raw: RawSearch) {
  return given({ tab: textParam(raw.tab) });
}
