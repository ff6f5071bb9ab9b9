import { language } from '../texts/language.ts';

type Unit = 'day' | 'hour' | 'minute' | 'second';

/** A length of time in words: `1 day`, `30 minutes`. */
export function unitsText(count: number, unit: Unit): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
