import type { Reader } from '../kit/db.ts';
import { plainArray } from '../kit/sql-arrays.ts';

/** A delivery that is due at an endpoint which this worker holds. */
export type ClaimedDelivery = {
  id: string;
  endpoint_id: string;
  /** Tries that were recorded before this one; its outcome is recorded only while there are no more. */
  attempts: number;
  event_id: string;
  /** null: the event is of no payment. */
  payment_id: string | null;
  sequence: number;
  body: string;
  /** Made by a test button rather than by a payment. */
  is_sample: boolean;
};

/** How much of an endpoint's due deliveries to read. */
export type Room = { endpointId: string; room: number };

// Without a write: who holds the endpoint knows what it has in hand, and leaves those out.
const dueSql = `
  SELECT d.id, d.endpoint_id, d.attempts, d.event_id, e.payment_id, e.sequence, e.body,
    e.only_endpoint_id IS NOT NULL AS is_sample
  FROM unnest($1::uuid[], $2::integer[]) AS t (endpoint_id, room)
  CROSS JOIN LATERAL (
    SELECT d.id, d.endpoint_id, d.attempts, d.event_id, d.next_attempt_at FROM deliveries d
    WHERE d.endpoint_id = t.endpoint_id AND d.status = 'pending' AND d.next_attempt_at <= now()
      AND d.id NOT IN (SELECT unnest($3::uuid[]))
    ORDER BY d.next_attempt_at LIMIT t.room
  ) d
  JOIN events e ON e.id = d.event_id
  ORDER BY d.next_attempt_at`;

/** The oldest due deliveries of each endpoint, in the order in which they became due, without those in hand. */
export async function readDue(
  reader: Reader,
  rooms: readonly Room[],
  inHand: readonly string[],
): Promise<ClaimedDelivery[]> {
  const values = [
    plainArray(rooms.map(({ endpointId }) => endpointId)),
    plainArray(rooms.map(({ room }) => room)),
    plainArray(inHand),
  ];
  const { rows } = await reader.query<ClaimedDelivery>({ name: 'read-due', text: dueSql, values });
  return rows;
}

// Jumps from one endpoint to the next through the index of pending deliveries: an endpoint with a million of
// them costs as much as one with a single delivery. A paused endpoint's wait; a deleted one's are to be ended.
const ringSql = `
  WITH RECURSIVE ring (endpoint_id) AS (
    (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > $1
     ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > ring.endpoint_id
            ORDER BY d.endpoint_id LIMIT 1)
    FROM ring WHERE ring.endpoint_id IS NOT NULL
  )
  SELECT ring.endpoint_id FROM ring
  JOIN webhook_endpoints w ON w.id = ring.endpoint_id AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
    AND (w.failing_since IS NOT NULL) = $4
  WHERE (SELECT d.next_attempt_at FROM deliveries d WHERE d.endpoint_id = ring.endpoint_id AND d.status = 'pending'
         ORDER BY d.next_attempt_at LIMIT 1) <= now()
    AND NOT EXISTS (
      SELECT FROM webhook_leases l JOIN webhook_workers o ON o.id = l.worker AND o.until > now()
      WHERE l.endpoint_id = ring.endpoint_id AND l.worker <> $2)
  LIMIT $3`;

export const ringStart = '00000000-0000-0000-0000-000000000000';

/**
 * Endpoints with something due that no other worker holds, in the order of their ids, from beyond one of them:
 * those whose last attempt failed, or the others. Fewer than `limit` are the last ones.
 */
export async function endpointsWithDue(
  reader: Reader,
  { after, worker, limit, failing }: { after: string; worker: string; limit: number; failing: boolean },
): Promise<string[]> {
  const { rows } = await reader.query<{ endpoint_id: string }>({
    name: 'walk-due',
    text: ringSql,
    values: [after, worker, limit, failing],
  });
  return rows.map((row) => row.endpoint_id);
}
