import { given, type RawSearch, textParam } from '../../api/search.ts';

export type AppealsSearch = ReturnType<typeof readAppealsSearch>;

/** Reads what the address of this page says. */
export function readAppealsSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor), open: textParam(raw.open) });
}
