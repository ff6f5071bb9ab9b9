import { given, type RawSearch, textParam } from '../../api/search.ts';

export type TeamSearch = ReturnType<typeof readTeamSearch>;

/** Reads the address of this page. */
export function readTeamSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor) });
}
