import { choiceParam, given, type RawSearch } from '../../api/search.ts';

const settingsTabs = ['general', 'page', 'keys', 'payouts', 'notices', 'live'] as const;
/** Reads the address of this page. */
export function readSettingsSearch(raw: RawSearch) {
  return given({ tab: choiceParam(raw.tab, settingsTabs) });
}
