import { isSome } from '../../format/decimals.ts';
import { serverNow } from '../../format/server-clock.ts';
import type { Zone } from '../../format/time-text.ts';
import { dateLocale } from '../../format/time-text.ts';
import { t } from '../../texts/t.ts';
import type { Overview, OverviewDay } from './queries.ts';

const short = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' });
const counting = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `2026-11-20` as `20 Nov`. */
export function shortDay(day: string): string {
  return short.format(new Date(day));
}

/** `2026-11-20` as `20 Nov 2026`. */
export function longDay(day: string): string {
  return long.format(new Date(day));
}

/** Whether a day is not over in the zone that times are shown in. */
export function isToday(day: string | undefined, zone: Zone): boolean {
  const now = serverNow();
  const shift = zone === 'utc' ? 0 : now.getTimezoneOffset() * 60_000;
  return day === new Date(now.getTime() - shift).toISOString().slice(0, 10);
}

/** `20 Nov 2026`, and of today that it is not over. */
export function dayText(day: string, zone: Zone): string {
  return isToday(day, zone) ? t('{day}, so far', { day: longDay(day) }) : longDay(day);
}

/** Whether what came in has a value: at least one of its coins has a rate. */
export function hasValue({ value }: Pick<Overview, 'value'>): boolean {
  return isSome(value.amount);
}

/** Days as points of a chart. */
export function dayPoints(days: readonly OverviewDay[]) {
  return days.map(({ day }) => ({ key: day, label: shortDay(day) }));
}

/** `1234` as `1,234`. */
export function countText(count: number): string {
  return counting.format(count);
}

/** `1234` as `1.2K`, for axes. */
export function compactText(value: number): string {
  return compact.format(value);
}

/** A share as `98.2%`; a dash where there is none. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : `${Math.round(rate * 1000) / 10}%`;
}

/** Seconds as `48 s`, `2 min 5 s` or `1 h 10 min`; a dash where there are none. */
export function spanText(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return join([minutes, 'min'], [whole % 60, 's']);
  return join([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
}

function join([large, unit]: [number, string], [small, rest]: [number, string]): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${rest}`;
}
