import { Type } from 'typebox';
import { uuidPattern } from '../ids.ts';
import { decodeCursor, encodeCursor, pageOf } from './cursor.ts';

/** The fields of a query string that asks for one page of a list. */
export const pageFields = {
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

export const defaultPageLimit = 50;

/** One page of rows that are sorted by their id, newest first; `read` is asked for one row more than is shown. */
export async function pageById<Row extends { id: string }>(
  query: { cursor?: string; limit?: number },
  read: (page: { before: string | null; limit: number }) => Promise<Row[]>,
) {
  const { cursor, limit = defaultPageLimit } = query;
  const before = cursor === undefined ? null : decodeCursor(cursor, [uuidPattern])[0];
  return pageOf(await read({ before, limit: limit + 1 }), limit, ({ id }) => encodeCursor([id]));
}
