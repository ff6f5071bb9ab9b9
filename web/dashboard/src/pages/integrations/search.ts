import { given, type RawSearch, textParam } from '../../api/search.ts';

/** Reads what the address of this page says. */
export function readIntegrationsSearch(raw: RawSearch) {
  return given({ new: textParam(raw.new) });
}
