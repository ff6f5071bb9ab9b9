import { given, type RawSearch, textParam } from '../../api/search.ts';

export type BalancesSearch = ReturnType<typeof readBalancesSearch>;

/** Reads what the address of this page says. */
export function readBalancesSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor) });
}
