import { given, type RawSearch, textParam } from '../../api/search.ts';

export type AuditSearch = ReturnType<typeof readAuditSearch>;

/** Reads what the address of this page says. */
export function readAuditSearch(raw: RawSearch) {
  return given({ cursor: textParam(raw.cursor) });
}
