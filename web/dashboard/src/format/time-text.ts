export type Zone = 'local' | 'utc';

const secondMs = 1_000;
const steps: [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400 * secondMs],
  ['hour', 3_600 * secondMs],
  ['minute', 60 * secondMs],
];
const relativeForDays = 7;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** How long ago, or until when: `3 min. ago`; after a week the day itself. */
export function relativeText(at: Date, now: Date, zone: Zone): string {
  const ms = at.getTime() - now.getTime();
  const step = steps.find(([, length]) => Math.abs(ms) >= length);
  if (!step)
    return Math.abs(ms) < 10 * secondMs ? 'just now' : relative.format(Math.round(ms / secondMs), 'second');
  const [unit, length] = step;
  if (unit === 'day' && Math.abs(ms) >= relativeForDays * length) return dayText(at, zone);
  return relative.format(Math.trunc(ms / length), unit);
}

/** The day: `20 Nov 2026`. */
export function dayText(at: Date, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...zoneOf(zone) }).format(at);
}

/** The exact time with its zone: `20 Nov 2026, 21:04:07 UTC`. */
export function exactText(at: Date, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', {
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

function zoneOf(zone: Zone): { timeZone?: string } {
  return zone === 'utc' ? { timeZone: 'UTC' } : {};
}
