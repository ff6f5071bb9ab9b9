import { choiceParam, given, type RawSearch, textParam } from '../../api/search.ts';

const accountTabs = ['profile', 'security', 'sessions', 'activity'] as const;
export type AccountTab = (typeof accountTabs)[number];

/** Reads the address of this page. */
export function readAccountSearch(raw: RawSearch) {
  return given({
    tab: choiceParam(raw.tab, accountTabs),
    cursor: textParam(raw.cursor),
    open: textParam(raw.open),
  });
}
