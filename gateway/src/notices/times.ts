import type { Reader } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';

/** When it is next this hour in a time zone, after a moment. Both are SQL; a day of summer time has its own length. */
const nextSql = `(date_trunc('day', $1::timestamptz AT TIME ZONE $2::text) + make_interval(hours => $3::integer)
  + CASE WHEN date_part('hour', $1::timestamptz AT TIME ZONE $2::text) >= $3::integer THEN interval '1 day' ELSE interval '0' END)
  AT TIME ZONE $2::text`;

export type DailyHour = { timeZone: string; hour: number };

/** The next time at which it is `hour` in the zone, after `now`. */
export async function nextDailyHour(reader: Reader, { timeZone, hour }: DailyHour, now: Date): Promise<Date> {
  const found = await reader.query<{ at: Date }>(`SELECT ${nextSql} AS at`, [now, timeZone, hour]);
  return oneRow(found, 'next hour of the day').at;
}

/** Whether PostgreSQL knows a zone by this name, such as `Europe/Berlin`. */
export async function isTimeZone(reader: Reader, name: string): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM pg_timezone_names WHERE name = $1', [name]);
  return rowCount === 1;
}
