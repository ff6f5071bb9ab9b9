import { choiceParam, given, type RawSearch } from '../../api/search.ts';

export const settingsTabs = ['general', 'keys', 'payouts', 'live'] as const;
export type SettingsSearch = ReturnType<typeof readSettingsSearch>;

/** Reads the address of this page. */
export function readSettingsSearch(raw: RawSearch) {
  return given({ tab: choiceParam(raw.tab, settingsTabs) });
}
