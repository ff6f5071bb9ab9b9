import type { Reader } from '../../kit/db/db.ts';
import type { EventType } from '../events/event-types.ts';
import type { EndpointId } from './endpoints.ts';

/** The last attempt of an endpoint's that failed. `response` is the answer's beginning; null: none came. */
export type LastFailure = {
  at: Date;
  status_code: number | null;
  error: string;
  response: string | null;
  event_type: EventType;
  payment_reference: string;
};

const shownResponseLength = 300;

// There is no index by the time of an attempt. Of what failed for good and of what waits for another try, these
// many of each are looked at.
const considered = 20;

/** What went wrong last at each endpoint; those that never failed, or whose failures are delivered by now, have none. */
export async function lastFailures(
  reader: Reader,
  endpoints: readonly EndpointId[],
): Promise<Map<EndpointId, LastFailure>> {
  const { rows } = await reader.query<LastFailure & { endpoint_id: EndpointId }>(
    `SELECT w.id AS endpoint_id, f.*
     FROM unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT a.at, a.status_code, a.error, left(a.response, ${shownResponseLength}) AS response,
         e.type AS event_type, e.payment_reference
       FROM (
         (SELECT id, event_id, attempts FROM deliveries WHERE endpoint_id = w.id AND status = 'failed'
          ORDER BY id DESC LIMIT ${considered})
         UNION ALL
         (SELECT id, event_id, attempts FROM deliveries WHERE endpoint_id = w.id AND status = 'pending'
          ORDER BY next_attempt_at DESC LIMIT ${considered})
       ) d
       JOIN events e ON e.id = d.event_id
       JOIN delivery_attempts a ON a.delivery_id = d.id AND a.n = d.attempts
       WHERE a.error IS NOT NULL AND a.injected_fault IS NULL
       ORDER BY a.at DESC LIMIT 1
     ) f`,
    [endpoints],
  );
  return new Map(rows.map(({ endpoint_id, ...failure }) => [endpoint_id, failure]));
}
