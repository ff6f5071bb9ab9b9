import { given, type RawSearch, textParam } from '../../api/search.ts';

export type TeamSearch = ReturnType<typeof readTeamSearch>;

/** Reads what the address of this page says. */
export function readTeamSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor) });
}
