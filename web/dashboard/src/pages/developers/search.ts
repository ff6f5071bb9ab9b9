import { given, type RawSearch, textParam } from '../../api/search.ts';

export type DevelopersSearch = ReturnType<typeof readDevelopersSearch>;

/** Reads what the address of this page says. */
export function readDevelopersSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor), tab: textParam(raw.tab) });
}
