import type { Zone } from '../format/time-text.ts';
import { language } from '../texts/language.ts';

/** A month: its name, and its first and last day as the address has days. */
export type Month = { name: string; from: string; to: string };

/** The month of `now` in a zone, or the one `back` months before it. */
export function monthOf(now: Date, back: number, zone: Zone): Month {
  const [year, month] =
    zone === 'utc' ? [now.getUTCFullYear(), now.getUTCMonth()] : [now.getFullYear(), now.getMonth()];
  const first = new Date(Date.UTC(year, month - back, 1));
  const last = new Date(Date.UTC(year, month - back + 1, 0));
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    first,
  );
  return { name, from: dayOf(first), to: dayOf(last) };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
