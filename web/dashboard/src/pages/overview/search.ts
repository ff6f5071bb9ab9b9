import { given, type RawSearch, textParam } from '../../api/search.ts';

export type OverviewSearch = ReturnType<typeof readOverviewSearch>;

/** Reads what the address of this page says. */
export function readOverviewSearch(raw: RawSearch) {
  return given({ days: textParam(raw.days) });
}
