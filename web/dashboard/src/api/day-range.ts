import type { Zone } from '../format/time-text.ts';

/**
 * From the beginning of one day to the end of another, as the API takes times. The days are those of the zone in
 * which times are shown.
 */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
  zone: Zone,
): { from: string | undefined; to: string | undefined } {
  return { from: from && startOfDay(from, 0, zone), to: to && startOfDay(to, 1, zone) };
}

function startOfDay(day: string, daysLater: number, zone: Zone): string {
  const start = new Date(zone === 'utc' ? `${day}T00:00:00Z` : `${day}T00:00:00`);
  if (zone === 'utc') start.setUTCDate(start.getUTCDate() + daysLater);
  else start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
