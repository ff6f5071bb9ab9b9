import type { SettingReader } from './setting-reader.ts';

/** A day of the week, 0 for Sunday; null: each day. The time of day in minutes after midnight, in UTC. */
export type ProveAt = { weekday: number | null; minute: number };

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const pattern = new RegExp(`^(?:(${weekdays.join('|')}) +)?([01]?\\d|2[0-3]):([0-5]\\d)$`, 'i');

/** Reads PROVE_AT; null: nothing is made by schedule. */
export function readProveAt({ fault, text }: SettingReader): ProveAt | null {
  const given = text('PROVE_AT');
  if (given === '') return null;
  const [whole, day, hour = '', minute = ''] = pattern.exec(given) ?? [];
  if (whole === undefined)
    fault('PROVE_AT', 'must be a day and a time in UTC, such as monday 03:30, or 03:30');
  return {
    weekday: day === undefined ? null : weekdays.indexOf(day.toLowerCase()),
    minute: Number.parseInt(hour, 10) * 60 + Number.parseInt(minute, 10),
  };
}
