import type { Reader } from '../../kit/db/db.ts';
import type { SentType } from '../events/event-types.ts';
import type { EndpointId } from './endpoints.ts';

/** The last failed attempt of an endpoint. `response` is the beginning of the answer; null: none came. */
export type LastFailure = {
  at: Date;
  status_code: number | null;
  error: string;
  response: string | null;
  event_type: SentType;
  payment_reference: string;
};

const shownResponseLength = 300;

// There is no index by the time of an attempt. So the newest attempt is searched among this many failed deliveries and
// as many that wait for a retry.
const considered = 20;

/** The last failure of each endpoint. Those without one, or whose failed deliveries were delivered since, are left out. */
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
       CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
       CROSS JOIN LATERAL (SELECT * FROM delivery_attempts WHERE delivery_id = d.id AND n = d.attempts OFFSET 0) a
       WHERE a.error IS NOT NULL AND a.injected_fault IS NULL
       ORDER BY a.at DESC LIMIT 1
     ) f`,
    [endpoints],
  );
  return new Map(rows.map(({ endpoint_id, ...failure }) => [endpoint_id, failure]));
}
