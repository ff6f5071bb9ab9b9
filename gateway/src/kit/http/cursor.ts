import { uuidPattern } from '../ids.ts';
import { invalid } from './fields.ts';

/** An opaque cursor over the values that a list is sorted by. */
export function encodeCursor(values: (string | number | bigint)[]): string {
  return Buffer.from(values.map(String).join(' ')).toString('base64url');
}

/** The values of a cursor that this list gave out; throws `cursor is invalid` for any other text. */
export function decodeCursor<const Patterns extends readonly RegExp[]>(
  cursor: string,
  patterns: Patterns,
): { [Index in keyof Patterns]: string } {
  const values = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (values.length !== patterns.length || !values.every((value, index) => patterns[index]?.test(value))) {
    throw invalid('cursor', 'must be the next_cursor of the page before');
  }
  // There is one value for each pattern.
  return values as { [Index in keyof Patterns]: string };
}

/** A place in a list that is sorted by time and id: the row after which a page begins. */
export type TimePlace = { at: Date; id: string };

const timePatterns = [/^\d{13,15}$/, uuidPattern] as const;

/** The place that a `next_cursor` of such a list names; throws `cursor is invalid` for any other text. */
export function timePlaceOf(cursor: string | undefined): TimePlace | null {
  if (cursor === undefined) return null;
  const [at, id] = decodeCursor(cursor, timePatterns);
  return { at: new Date(Number.parseInt(at, 10)), id };
}

/** The cursor of the page after this place. */
export function timeCursor({ at, id }: TimePlace): string {
  return encodeCursor([at.getTime(), id]);
}

/** Makes a page of a list that was read with one row more than `limit`. */
export function pageOf<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
