import { given, type RawSearch, textParam } from '../../api/search.ts';

export type SettingsSearch = ReturnType<typeof readSettingsSearch>;

/** Reads what the address of this page says. */
export function readSettingsSearch(raw: RawSearch) {
  return given({ tab: textParam(raw.tab) });
}
