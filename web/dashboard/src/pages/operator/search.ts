import { choiceParam, dayParam, given, type RawSearch, textParam } from '../../api/search.ts';

export type OperatorSearch = ReturnType<typeof readOperatorSearch>;

/** Reads what the address of this page says. */
export function readOperatorSearch(raw: RawSearch) {
  return given({
    cursor: textParam(raw.cursor),
    q: textParam(raw.q),
    tab: textParam(raw.tab),
    kind: textParam(raw.kind),
    open: textParam(raw.open),
    person: textParam(raw.person),
    action: textParam(raw.action),
    from: dayParam(raw.from),
    to: dayParam(raw.to),
    about: choiceParam(raw.about, ['security']),
  });
}
