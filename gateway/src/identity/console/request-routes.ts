import { Type } from 'typebox';
import type { Database } from '../../kit/db/db.ts';
import { decodeCursor, encodeCursor } from '../../kit/http/cursor.ts';
import { endParser, queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageFields } from '../../kit/http/page-query.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { countDropped, findRequest, type LoggedRequest, listRequests } from '../request-log/request-reads.ts';
import { LoggedExchange, RequestPage } from './answers/keys.ts';
import type { Console } from './console.ts';

const RequestsQuery = Type.Object({
  status: Type.Optional(Type.Enum(['2xx', '4xx', '5xx'])),
  method: Type.Optional(Type.Enum(['GET', 'PUT', 'POST', 'PATCH', 'DELETE'])),
  path: Type.Optional(Type.String({ format: 'text', maxLength: 300 })),
  key: Type.Optional(Type.String({ pattern: uuidPattern.source })),
  q: Type.Optional(Type.String({ format: 'text', maxLength: 300 })),
  from: Type.Optional(Type.String({ format: 'date-time' })),
  to: Type.Optional(Type.String({ format: 'date-time' })),
  ...pageFields,
});
const readRequestsQuery = queryReader(RequestsQuery, {}, { to: endParser('to') });

/** The request log of an integration. */
export function requestConsoleRoutes(dashboard: Console, { db }: { db: Database }): void {
  dashboard.getAged('mode', '/requests', { may: 'read', answer: RequestPage }, async (call) => {
    const { aged, owner, query } = call;
    const { status, key, cursor, limit = defaultPageLimit, ...rest } = readRequestsQuery(query);
    const filter = {
      ...rest,
      statusClass: status && Number.parseInt(status, 10),
      keyId: key,
      from: rest.from === undefined ? undefined : new Date(rest.from),
      to: rest.to === undefined ? undefined : new Date(rest.to),
    };
    const before = cursor === undefined ? null : decodeCursor(cursor, [uuidPattern])[0];
    const { items, next } = await listRequests(aged, owner, filter, { before, limit });
    return {
      message: 'API requests',
      data: {
        items: items.map(viewOf),
        next_cursor: next === null ? null : encodeCursor([next]),
        dropped: await countDropped(aged, owner, filter),
      },
    };
  });

  dashboard.get(
    'mode',
    '/requests/:id',
    { may: 'read', answer: LoggedExchange },
    async ({ owner, params }) => {
      const found = await findRequest(db, owner, params.id ?? '');
      return { message: 'API request', data: viewOf(found) };
    },
  );
}

function viewOf<R extends LoggedRequest>({ at, ...request }: R) {
  return { ...request, at: at.toISOString() };
}
