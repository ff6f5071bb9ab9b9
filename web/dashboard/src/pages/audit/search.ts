import { choiceParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type AuditSearch = ReturnType<typeof readAuditSearch>;

/** Reads the address of this page: the filters, the page of the list, and the open entry. */
export function readAuditSearch(raw: RawSearch) {
  return given({
    person: textParam(raw.person),
    action: textParam(raw.action),
    integration: textParam(raw.integration),
    from: dayParam(raw.from),
    to: dayParam(raw.to),
    about: choiceParam(raw.about, ['security']),
    cursor: textParam(raw.cursor),
    open: textParam(raw.open),
  });
}
