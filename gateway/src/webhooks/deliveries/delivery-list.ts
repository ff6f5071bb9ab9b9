import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { firstId, firstIdAt, isUuid, lastId, uuidPattern } from '../../kit/ids.ts';
import type { DeliveryStatus } from '../answers/answers.ts';
import type { FaultKind } from '../answers/chaos-answers.ts';
import type { SentType } from '../events/event-types.ts';

export type DeliveryFilter = {
  endpoint?: string;
  status?: DeliveryStatus;
  type?: SentType;
  /** The payment's, or the payout's: its reference or its id. */
  reference?: string;
  since?: Date;
  /** Exclusive. */
  until?: Date;
};

type Row = {
  id: string | null;
  endpoint_id: string;
  endpoint_url: string;
  event_id: string;
  event_type: SentType;
  payment_reference: string;
  payout_reference: string;
  sequence: number;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  status_code: number | null;
  error: string | null;
  injected_fault: FaultKind | null;
  /** Whether a fault was injected into any attempt. */
  met_chaos: boolean;
  /** The id down to which the list is complete; null when that is its end. */
  edge: string | null;
} & ({ last_at: Date; duration_ms: number } | { last_at: null });

export type ListedDelivery = ReturnType<typeof viewOf>;

/**
 * Few matching events or pending deliveries are found by their index. Many are found in the list itself, of which a
 * page reads `scannedAPage` deliveries at most.
 */
export type SearchBounds = { fewEvents: number; fewPending: number; scannedAPage: number };
const usualBounds: SearchBounds = { fewEvents: 5_000, fewPending: 5_000, scannedAPage: 20_000 };

/**
 * The owner's deliveries that pass the filter, newest first. A page may be short, even empty, and yet have a
 * `next_cursor`: then 20,000 deliveries were read for it, and the next page continues from there.
 */
export async function searchDeliveries(
  reader: Reader,
  owner: Owner,
  filter: DeliveryFilter,
  { cursor, limit, bounds = usualBounds }: { cursor?: string; limit: number; bounds?: SearchBounds },
): Promise<{ items: ListedDelivery[]; next_cursor: string | null }> {
  const endpoints = await endpointsOf(reader, owner, filter.endpoint);
  const source = await sourceOf(reader, owner, filter, { endpoints, limit, bounds });
  const before = cursor ? decodeCursor(cursor, [uuidPattern])[0] : null;
  const until = filter.until ? firstIdAt(filter.until) : lastId;
  const { rows } = await reader.query<Row>(listSql(source.sql), [
    owner.integrationId,
    owner.mode,
    before !== null && before < until ? before : until,
    filter.since ? firstIdAt(filter.since) : firstId,
    filter.status ?? null,
    filter.type ?? null,
    filter.endpoint ?? null,
    limit + 1,
    ...source.values,
  ]);
  const edge = rows[0]?.edge ?? null;
  const found = rows.filter((row): row is Row & { id: string } => row.id !== null);
  const page = pageOf(found, limit, (row) => encodeCursor([row.id]));
  return {
    items: page.items.map(viewOf),
    next_cursor: page.next_cursor ?? (edge === null ? null : encodeCursor([edge])),
  };
}

const ofOwner = `SELECT id FROM webhook_endpoints WHERE integration_id = $1 AND mode = $2 AND channel = 'webhook'`;

async function endpointsOf(reader: Reader, owner: Owner, only: string | undefined): Promise<string[]> {
  const { rows } = await reader.query<{ id: string }>(
    only === undefined ? `${ofOwner} AND deleted_at IS NULL` : `${ofOwner} AND id = $3`,
    [owner.integrationId, owner.mode, ...(only === undefined ? [] : [only])],
  );
  return rows.map(({ id }) => id);
}

/** SQL of the tables `scanned` (deliveries to look at) and `edge`, with its values from $9 on. */
type Source = { sql: string; values: unknown[] };

const inRange = 'd.id < $3 AND d.id >= $4';
const endless = 'edge AS (SELECT NULL::text AS id)';

async function sourceOf(
  reader: Reader,
  owner: Owner,
  filter: DeliveryFilter,
  { endpoints, limit, bounds }: { endpoints: string[]; limit: number; bounds: SearchBounds },
): Promise<Source> {
  const { reference, type, status } = filter;
  const { fewEvents, fewPending, scannedAPage } = bounds;
  const events = reference !== undefined || type ? await eventsOf(reader, owner, filter, fewEvents) : null;
  if (events) return { sql: byEvents, values: [events] };
  if (status === 'pending' && (await isShortQueue(reader, endpoints, fewPending))) {
    return { sql: queued, values: [endpoints] };
  }
  const matchesAll = !type && status !== 'pending' && status !== 'delivered';
  const window = matchesAll ? limit + 1 : Math.ceil(scannedAPage / Math.max(endpoints.length, 1));
  return {
    sql: newestOf(status === 'failed' || status === 'held' ? `AND d.status = '${status}'` : ''),
    values: [endpoints, window],
  };
}

const byEvents = `scanned AS MATERIALIZED (
    SELECT d.* FROM unnest($9::uuid[]) AS e (id) JOIN deliveries d ON d.event_id = e.id
    JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.channel = 'webhook' WHERE ${inRange}
  ), ${endless}`;

const queued = `scanned AS MATERIALIZED (
    SELECT d.* FROM unnest($9::uuid[]) AS w (id)
    JOIN deliveries d ON d.endpoint_id = w.id AND d.status = 'pending' WHERE ${inRange}
  ), ${endless}`;

// An endpoint of which the limit was read may have more: the list is complete down to the last one that was read.
function newestOf(condition: string): string {
  return `scanned AS MATERIALIZED (
    SELECT d.* FROM unnest($9::uuid[]) AS w (id) CROSS JOIN LATERAL (
      SELECT * FROM deliveries d WHERE d.endpoint_id = w.id AND ${inRange} ${condition}
      ORDER BY d.id DESC LIMIT $10
    ) d
  ), edge AS (
    SELECT max(stopped) AS id FROM (
      SELECT min(id::text COLLATE "C") AS stopped FROM scanned GROUP BY endpoint_id HAVING count(*) = $10) s
  )`;
}

// Why LATERAL and OFFSET 0: see `waitingTestDeliveries`.
function listSql(source: string): string {
  return `WITH ${source}
    SELECT d.*, w.url AS endpoint_url, a.at AS last_at, a.status_code, a.duration_ms, a.error, a.injected_fault, edge.id AS edge,
      (SELECT true FROM delivery_attempts c WHERE c.delivery_id = d.id AND c.injected_fault IS NOT NULL LIMIT 1) IS NOT NULL AS met_chaos
    FROM edge LEFT JOIN LATERAL (
      SELECT s.id, s.endpoint_id, s.event_id, s.status, s.attempts, s.next_attempt_at, s.created_at,
        e.type AS event_type, e.payment_reference, e.sequence,
        coalesce(e.payout_reference, e.payout_id::text, '') AS payout_reference
      FROM scanned s CROSS JOIN LATERAL (SELECT * FROM events WHERE id = s.event_id OFFSET 0) e
      WHERE s.integration_id = $1 AND s.mode = $2 AND (edge.id IS NULL OR s.id >= edge.id::uuid)
        AND ($5::text IS NULL OR s.status = $5) AND ($6::text IS NULL OR e.type = $6)
        AND ($7::uuid IS NULL OR s.endpoint_id = $7)
      ORDER BY s.id DESC LIMIT $8
    ) d ON true
    LEFT JOIN webhook_endpoints w ON w.id = d.endpoint_id
    LEFT JOIN LATERAL (
      SELECT * FROM delivery_attempts WHERE delivery_id = d.id AND n = d.attempts OFFSET 0
    ) a ON true
    ORDER BY d.id DESC`;
}

/** The ids of the events of a payment or payout, or else of a type; null when there are more than `few`. */
async function eventsOf(
  reader: Reader,
  owner: Owner,
  { reference, type }: DeliveryFilter,
  few: number,
): Promise<string[] | null> {
  const { rows } = await reader.query<{ id: string }>(
    reference !== undefined
      ? `SELECT id FROM (
           SELECT * FROM events WHERE payment_reference = $3
           UNION ALL SELECT * FROM events WHERE payout_reference = $3
           UNION ALL SELECT * FROM events WHERE payout_id = $5::uuid
         ) e WHERE integration_id = $1 AND mode = $2 LIMIT $4`
      : `SELECT id FROM events WHERE integration_id = $1 AND mode = $2 AND type = $3 ORDER BY seq DESC LIMIT $4`,
    reference !== undefined
      ? [owner.integrationId, owner.mode, reference, few + 1, isUuid(reference) ? reference : null]
      : [owner.integrationId, owner.mode, type, few + 1],
  );
  return rows.length > few ? null : rows.map(({ id }) => id);
}

async function isShortQueue(reader: Reader, endpoints: string[], few: number): Promise<boolean> {
  const result = await reader.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM unnest($1::uuid[]) AS w (id)
       JOIN deliveries d ON d.endpoint_id = w.id AND d.status = 'pending' LIMIT $2) d`,
    [endpoints, few + 1],
  );
  return oneRow(result, 'length of a queue').count <= few;
}

function viewOf(row: Row & { id: string }) {
  return {
    id: row.id,
    endpoint: { id: row.endpoint_id, url: row.endpoint_url },
    event: {
      id: row.event_id,
      type: row.event_type,
      payment_reference: row.payment_reference,
      payout_reference: row.payout_reference,
      sequence: row.sequence,
    },
    met_chaos: row.met_chaos,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    last_attempt: row.last_at && {
      at: row.last_at.toISOString(),
      status_code: row.status_code,
      duration_ms: row.duration_ms,
      error: row.error,
      injected_fault: row.injected_fault,
    },
  };
}
