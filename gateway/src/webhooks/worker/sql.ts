import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { anyLength, plainArray } from '../../kit/db/sql-arrays.ts';
import { tracesOf } from '../events/event-traces.ts';

/** A delivery that is due at an endpoint which this worker holds. */
export type DueDelivery = {
  id: string;
  endpoint_id: string;
  /** Attempts recorded before this one. Its outcome is recorded only if no other was recorded since. */
  attempts: number;
  event_id: string;
  /** The payment or the payout that the event is of; null: neither. */
  subject_id: string | null;
  sequence: number;
  body: string;
  /** Made by a test button rather than by a payment. */
  is_sample: boolean;
  /** When it became due, in ms of the database's time. */
  due_ms: number;
  /** The span in which its event was written; undefined: it is not traced. */
  trace?: string | undefined;
};

/** How many of an endpoint's due deliveries to read, and from which moment on (`due_ms`). */
type Room = { endpointId: string; room: number; fromMs: number };

// Why LATERAL and OFFSET 0: see `waitingTestDeliveries`.
// Writes nothing: the holder of an endpoint knows what it has in hand, and leaves it out. Of a deleted endpoint all
// deliveries are due at once, to be ended as failed: to change a million rows would take longer than a call may.
const dueSql = `
  SELECT d.id, d.endpoint_id, d.attempts, d.event_id, coalesce(e.payment_id, e.payout_id) AS subject_id, e.sequence, e.body,
    e.only_endpoint_id IS NOT NULL AS is_sample, date_part('epoch', d.next_attempt_at) * 1000 AS due_ms
  FROM unnest(${anyLength('$1', 'uuid')}, ${anyLength('$2', 'integer')}, ${anyLength('$4', 'float8')}) AS t (endpoint_id, room, from_ms)
  CROSS JOIN LATERAL (
    SELECT CASE WHEN w.deleted_at IS NULL THEN now() ELSE 'infinity' END AS until
    FROM webhook_endpoints w WHERE w.id = t.endpoint_id
  ) w
  CROSS JOIN LATERAL (
    SELECT d.id, d.endpoint_id, d.attempts, d.event_id, d.next_attempt_at FROM deliveries d
    WHERE d.endpoint_id = t.endpoint_id AND d.status = 'pending' AND d.next_attempt_at <= w.until
      AND d.next_attempt_at >= to_timestamp(t.from_ms / 1000)
      AND d.id NOT IN (SELECT unnest(${anyLength('$3', 'uuid')}))
    ORDER BY d.next_attempt_at LIMIT t.room
  ) d
  CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
  ORDER BY d.next_attempt_at`;

/**
 * The oldest due deliveries of each endpoint, in the order in which they became due, without those in hand. With their
 * traces where `isTraced`.
 */
export async function readDue(
  reader: Reader,
  rooms: readonly Room[],
  inHand: readonly string[],
  isTraced = false,
): Promise<DueDelivery[]> {
  const values = [
    plainArray(rooms.map(({ endpointId }) => endpointId)),
    plainArray(rooms.map(({ room }) => room)),
    plainArray(inHand),
    plainArray(rooms.map(({ fromMs }) => fromMs)),
  ];
  const { rows } = await reader.query<DueDelivery>({ name: 'read-due', text: dueSql, values });
  if (!isTraced) return rows;
  const traces = await tracesOf(
    reader,
    rows.map(({ event_id }) => event_id),
  );
  return rows.map((row) => ({ ...row, trace: traces.get(row.event_id) }));
}

/**
 * The end of the due window, a moment of the database's time in ms: whatever became due before it can be read by now,
 * since no transaction that began earlier is still writing.
 */
export async function readWindowEnd(reader: Reader): Promise<number> {
  const result = await reader.query<{ ms: number }>({
    name: 'read-window-end',
    text: `SELECT date_part('epoch', least(now(), min(xact_start))) * 1000 AS ms
           FROM pg_stat_activity WHERE backend_xid IS NOT NULL`,
  });
  return oneRow(result, 'read-window-end').ms;
}

// Jumps from the first pending delivery of one endpoint to that of the next: an endpoint with a million deliveries
// costs as much as one with a single one. Those of a paused endpoint wait; those of a deleted one are to be ended.
const ringSql = `
  WITH RECURSIVE ring (endpoint_id, first_at) AS (
    (SELECT d.endpoint_id, d.next_attempt_at FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > $1
     ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM ring CROSS JOIN LATERAL (
      SELECT d.endpoint_id, d.next_attempt_at FROM deliveries d
      WHERE d.status = 'pending' AND d.endpoint_id > ring.endpoint_id
      ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1
    ) next
  )
  SELECT ring.endpoint_id FROM ring
  JOIN webhook_endpoints w ON w.id = ring.endpoint_id AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
    AND (w.failing_since IS NOT NULL) = $4
  WHERE (ring.first_at <= now() OR w.deleted_at IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM webhook_leases l JOIN webhook_workers o ON o.id = l.worker AND o.until > now()
      WHERE l.endpoint_id = ring.endpoint_id AND l.worker <> $2)
  LIMIT $3`;

/** A page of a walk through all endpoints, in the order of their ids. */
export type Step = {
  /** The id of the endpoint before the page. */
  after: string;
  limit: number;
  /** Those whose last attempt failed, or the others. */
  failing: boolean;
};

/** Endpoints with something due that no other worker holds. A page with fewer than the limit is the last. */
export async function endpointsWithDue(
  reader: Reader,
  worker: string,
  { after, limit, failing }: Step,
): Promise<string[]> {
  const { rows } = await reader.query<{ endpoint_id: string }>({
    name: 'walk-due',
    text: ringSql,
    values: [after, worker, limit, failing],
  });
  return rows.map((row) => row.endpoint_id);
}
