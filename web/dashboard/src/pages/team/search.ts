import { given, type RawSearch, textParam } from '../../api/search.ts';

/** Reads the address of this page. */
export function readTeamSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor) });
}
