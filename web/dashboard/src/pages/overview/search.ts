import { choiceParam, given, type RawSearch } from '../../api/search.ts';
import { currencyParam } from '../payments/search.ts';

/** How many days the overview may show. */
export const spans = ['7', '30', '90'] as const;
export type Span = (typeof spans)[number];

/** Reads what the address of this page says: how many days, and which paid or price currency is drawn. */
export function readOverviewSearch(raw: RawSearch) {
  return given({ days: choiceParam(raw.days, spans), currency: currencyParam(raw.currency) });
}
