import { dayOf } from '../kit/clock.ts';

/** What happened on one day of UTC, the newest first. */
export type Day<Row> = { day: string; rows: Row[] };

/** Groups rows that are sorted by time, the newest first. */
export function daysOf<Row extends { created_at: Date }>(rows: readonly Row[]): Day<Row>[] {
  const days: Day<Row>[] = [];
  for (const row of rows) {
    const day = dayOf(row.created_at);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}

const dayMs = 24 * 3600 * 1000;
const utc = { timeZone: 'UTC' } as const;
const timeOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** A day for people: `Today`, `Yesterday`, `Friday, November 27`; with its year where that is another one. */
export function dayWords(locale: string, day: string, now: Date): string {
  const ago = (+timeOf(dayOf(now)) - +timeOf(day)) / dayMs;
  if (ago === 0 || ago === 1) {
    const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day');
    return capital(locale, words);
  }
  const isThisYear = day.slice(0, 4) === dayOf(now).slice(0, 4);
  const parts = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    ...(isThisYear ? parts : { ...parts, year: 'numeric' }),
    ...utc,
  });
  return capital(locale, format.format(timeOf(day)));
}

/** A month such as `2026-11` for people: `November 2026`. */
export function monthWords(locale: string, month: string): string {
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { month: 'long', year: 'numeric', ...utc });
  return capital(locale, format.format(timeOf(`${month}-01`)));
}

/** The word of a language for a month, as a label. */
export function monthLabel(locale: string): string {
  const word = new Intl.DisplayNames(locale, { type: 'dateTimeField' }).of('month') ?? '';
  return capital(locale, word);
}

const capital = (locale: string, words: string): string =>
  words.slice(0, 1).toLocaleUpperCase(locale) + words.slice(1);

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const mostMonths = 120;

/** The month after or before one, such as `2026-12` after `2026-11`. */
function monthBeside(month: string, step: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}

/** The months from one moment to another, the newest first; ten years at most. */
export function monthsBetween(since: Date, now: Date): string[] {
  const first = dayOf(since).slice(0, 7);
  const months = [dayOf(now).slice(0, 7)];
  for (let last = months[0] ?? first; last > first && months.length < mostMonths; ) {
    last = monthBeside(last, -1);
    months.push(last);
  }
  return months;
}

/** The time of a month; null: this is not one. */
export function spanOf(month: string): { from: Date; to: Date } | null {
  if (!monthPattern.test(month)) return null;
  return { from: timeOf(`${month}-01`), to: timeOf(`${monthBeside(month, 1)}-01`) };
}
