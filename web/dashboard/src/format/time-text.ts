import { language } from '../texts/language.ts';
import { t } from '../texts/t.ts';

export type Zone = 'local' | 'utc';

const secondMs = 1_000;
const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400 * secondMs],
  ['hour', 3_600 * secondMs],
  ['minute', 60 * secondMs],
];
const relativeForDays = 7;
/** English with the day before the month. */
export const dateLocale = language === 'en' ? 'en-GB' : language;
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

/** How long ago, or until when: `3 min. ago`; after a week the day itself. */
export function relativeText(at: Date, now: Date, zone: Zone): string {
  const ms = at.getTime() - now.getTime();
  const step = steps.find(([, length]) => Math.abs(ms) >= length);
  if (!step)
    return Math.abs(ms) < 10 * secondMs
      ? t('just now')
      : relative.format(Math.round(ms / secondMs), 'second');
  const [unit, length] = step;
  if (unit === 'day' && Math.abs(ms) >= relativeForDays * length) return dayText(at, zone);
  return relative.format(Math.trunc(ms / length), unit);
}

/** How much later one thing happened than another: `+2 s`, `+1 min 5 s`, `+3 h`; `at once` below a second. */
export function laterText(ms: number): string {
  if (ms < secondMs) return t('at once');
  const names = ['d', 'h', 'min', 's'];
  const lengths = [...steps.map(([, length]) => length), secondMs];
  const at = lengths.findIndex((length) => ms >= length);
  const [large = secondMs, small] = lengths.slice(at);
  const rest = small === undefined ? 0 : Math.floor((ms % large) / small);
  const first = `+${Math.floor(ms / large)} ${names[at]}`;
  return rest === 0 ? first : `${first} ${rest} ${names[at + 1]}`;
}

/** The day: `20 Nov 2026`. */
function dayText(at: Date, zone: Zone): string {
  return new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', ...zoneOf(zone) }).format(at);
}

/** The exact time with its zone: `20 Nov 2026, 21:04:07 UTC`. */
export function exactText(at: Date, zone: Zone): string {
  return new Intl.DateTimeFormat(dateLocale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...zoneOf(zone),
  }).format(at);
}

/** The time of the day with its zone: `21:04:07 UTC`. */
export function clockText(at: Date, zone: Zone): string {
  return new Intl.DateTimeFormat(dateLocale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...zoneOf(zone),
  }).format(at);
}

function zoneOf(zone: Zone): { timeZone?: string } {
  return zone === 'utc' ? { timeZone: 'UTC' } : {};
}
