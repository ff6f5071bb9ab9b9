import { after } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { keepParts } from '../../kit/db/parts.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { firstIdAt, isUuid, lastId } from '../../kit/ids.ts';
import type { KeyOwner } from '../keys/keys.ts';
import { type Bodies, unpackBodies } from './request-bodies.ts';
import { derivedPath } from './request-record.ts';

/** One line of the request log. */
export type LoggedRequest = {
  id: string;
  at: Date;
  method: string;
  route: string;
  path: string;
  status: number;
  duration_ms: number;
  key: { id: string; hint: string | null };
  address: string;
  request_id: string;
  error: string | null;
  payment_reference: string | null;
};

/** The same with its bodies: without secrets, and cut at 8 KiB if `..._cut` is true. */
export type LoggedExchange = LoggedRequest & Bodies;

export type RequestFilter = {
  /** 2 for 200 to 299, and so on. */
  statusClass?: number | undefined;
  method?: string | undefined;
  /** A part of the path or of its pattern. */
  path?: string | undefined;
  keyId?: string | undefined;
  /** A payment reference, the id of a request, or the name of an error. */
  q?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** The time in an id, to the millisecond. */
function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const columns = `r.id, r.method, r.route, coalesce(r.path, ${derivedPath}) AS path, r.status, r.duration_ms, r.address, r.request_id, r.error,
  r.payment_reference, json_build_object('id', r.key_id, 'hint', k.hint) AS key`;

type Row = Omit<LoggedRequest, 'at'>;

/** The most requests that one call searches: with a filter that few requests pass, the answer comes in parts. */
const mostSearched = 20_000;

const listSql = `
WITH looked_at AS MATERIALIZED (
  SELECT id, key_id, method, route, coalesce(path, ${derivedPath}) AS path, status, duration_ms, address, request_id, error, payment_reference
  FROM api_requests
  WHERE integration_id = $1 AND mode = $2 AND id < $3 AND id >= $4
  ORDER BY id DESC LIMIT ${mostSearched}
)
SELECT ${columns}, e.last FROM (
  SELECT (SELECT id FROM looked_at ORDER BY id DESC OFFSET ${mostSearched - 1} LIMIT 1) AS last
) e LEFT JOIN (
  SELECT * FROM looked_at
  WHERE ($5::int IS NULL OR status / 100 = $5) AND ($6::text IS NULL OR method = $6)
    AND ($7::text IS NULL OR strpos(path, $7) > 0 OR strpos(route, $7) > 0)
    AND ($8::uuid IS NULL OR key_id = $8)
    AND ($9::text IS NULL OR payment_reference = $9 OR request_id::text = $9 OR error = $9
      OR strpos(path, $9) > 0)
  ORDER BY id DESC LIMIT $10
) r ON true LEFT JOIN api_keys k ON k.id = r.key_id
ORDER BY r.id DESC`;

/**
 * The owner's requests before the id `before`, newest first. `next` is where the next page begins: after this page, or,
 * when few requests pass the filter, after the last one that was searched.
 */
export async function listRequests(
  reader: Reader,
  owner: KeyOwner,
  filter: RequestFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ items: LoggedRequest[]; next: string | null }> {
  const start = filter.to ? firstIdAt(filter.to) : lastId;
  const { rows } = await reader.query<{ last: string | null } & (Row | { id: null })>(listSql, [
    owner.integrationId,
    owner.mode,
    before !== null && before < start ? before : start,
    firstIdAt(filter.from ?? new Date(0)),
    filter.statusClass,
    filter.method,
    filter.path,
    filter.keyId,
    filter.q,
    limit + 1,
  ]);
  // Without a match there is one row, which has only the place where the search ended.
  const found = rows.flatMap(({ last: _, ...row }) => (row.id === null ? [] : [withTime(row)]));
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last?.id ?? rows[0]?.last ?? null };
}

function withTime<R extends Row>(row: R): R & { at: Date } {
  return { ...row, at: timeOf(row.id) };
}

/** One of the owner's requests with its bodies; anything else is `Not found`. */
export async function findRequest(reader: Reader, owner: KeyOwner, id: string): Promise<LoggedExchange> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<Row & StoredBodies>(
    `SELECT ${columns}, r.request_body, r.request_cut, r.response_body, r.response_cut, b.content, r.bodies_place
     FROM api_requests r LEFT JOIN api_keys k ON k.id = r.key_id LEFT JOIN api_request_bodies b ON b.id = r.bodies_id
     WHERE r.integration_id = $1 AND r.mode = $2 AND r.id = $3`,
    [owner.integrationId, owner.mode, id],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  const { content, bodies_place: place, ...request } = row;
  const own = { ...request, request_cut: row.request_cut ?? false, response_cut: row.response_cut ?? false };
  return withTime(content && place !== null ? { ...own, ...unpackBodies(content, place) } : own);
}

/** Bodies in a pack, or in the row itself, where versions before packs wrote them. */
type StoredBodies = Pick<Bodies, 'request_body' | 'response_body'> & {
  request_cut: boolean | null;
  response_cut: boolean | null;
  content: Buffer | null;
  bodies_place: number | null;
};

/** The newest requests about one payment of the owner's, newest first. */
export async function requestsOfPayment(
  reader: Reader,
  owner: KeyOwner,
  reference: string,
  limit: number,
): Promise<LoggedRequest[]> {
  const { rows } = await reader.query<Row>(
    `SELECT ${columns} FROM api_requests r LEFT JOIN api_keys k ON k.id = r.key_id
     WHERE hashtextextended(r.integration_id::text || r.payment_reference, 0) = hashtextextended($1::uuid::text || $2, 0)
       AND r.integration_id = $1 AND r.payment_reference = $2 AND r.mode = $3
     ORDER BY r.id DESC LIMIT $4`,
    [owner.integrationId, reference, owner.mode, limit],
  );
  return rows.map(withTime);
}

/** How many of the owner's requests between two times were answered but not logged. */
export async function countDropped(
  reader: Reader,
  owner: KeyOwner,
  { from, to }: Pick<RequestFilter, 'from' | 'to'>,
): Promise<number> {
  const result = await reader.query<{ dropped: number }>(
    `SELECT coalesce(sum(dropped), 0)::float8 AS dropped FROM api_request_gaps
     WHERE integration_id = $1 AND mode = $2 AND ($3::timestamptz IS NULL OR at >= $3)
       AND ($4::timestamptz IS NULL OR at < $4)`,
    [owner.integrationId, owner.mode, from, to],
  );
  return oneRow(result, 'requests that were not noted').dropped;
}

const keptDays = 30;

/** Makes room for the requests of the days that come, and forgets those that are older than 30 days, some days at once. */
export async function forgetRequests(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM api_request_gaps WHERE at < $1', [after(now, -keptDays * 24 * 3600)]);
  for (const table of ['api_requests', 'api_request_bodies']) await keepParts(db, { table, keptDays }, now);
}
