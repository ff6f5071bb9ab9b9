import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Sent } from '../../kit/http/answers.ts';
import { lastId } from '../../kit/ids.ts';
import type { FailedDelivery, QueueState } from '../answers/console-answers.ts';

const queueCountLimit = 10_000;

// Jumps from one endpoint to the next, and reads the first delivery of each: a long queue costs no more.
const queueSql = `
WITH RECURSIVE ring (endpoint_id) AS (
  (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' ORDER BY d.endpoint_id LIMIT 1)
  UNION ALL
  SELECT (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > ring.endpoint_id
          ORDER BY d.endpoint_id LIMIT 1)
  FROM ring WHERE ring.endpoint_id IS NOT NULL
), first AS (
  SELECT w.mode, (SELECT d.next_attempt_at FROM deliveries d WHERE d.endpoint_id = ring.endpoint_id AND d.status = 'pending'
          ORDER BY d.next_attempt_at LIMIT 1) AS at
  FROM ring JOIN webhook_endpoints w ON w.id = ring.endpoint_id AND w.status = 'active'
)
SELECT mode,
  (SELECT count(*) FROM (SELECT FROM deliveries d WHERE d.status = 'pending' AND d.mode = m.mode LIMIT $1) p)::int AS pending,
  (SELECT count(*) FROM (SELECT FROM deliveries d WHERE d.status = 'failed' AND d.mode = m.mode LIMIT $1) f)::int AS failed,
  (SELECT count(*) FROM first f WHERE f.mode = m.mode AND at <= now())::int AS endpoints_due,
  (SELECT min(at) FROM first f WHERE f.mode = m.mode AND at <= now()) AS oldest_due_at
FROM (VALUES ('live'), ('test')) AS m (mode)`;

type ModeQueue = Sent<QueueState['live']> & { mode: Mode };

/** How far behind the sending of webhooks is in each mode. Endpoints that are paused or disabled do not count as due. */
export async function queueState(reader: Reader): Promise<Sent<QueueState>> {
  const { rows } = await reader.query<ModeQueue>(queueSql, [queueCountLimit]);
  const of = (wanted: Mode) => {
    const { mode: _, ...queue } = oneRow({ rows: rows.filter(({ mode }) => mode === wanted) }, 'queue');
    return queue;
  };
  return { live: of('live'), test: of('test'), counted_up_to: queueCountLimit };
}

type FailedRow = Sent<FailedDelivery> & { id: string };

// The page is found first, then the endpoint of each delivery. In a plain join, of which PostgreSQL expects few rows, all
// failed deliveries would be read and sorted.
const failedSql = `
SELECT d.id, d.endpoint_id, w.url, w.status AS endpoint_status, d.integration_id, i.name AS integration_name,
  d.mode, e.type AS event_type, e.payment_reference, d.attempts,
  coalesce(e.payout_reference, e.payout_id::text, '') AS payout_reference, last.at AS last_attempt_at,
  last.status_code AS last_status_code, last.error AS last_error
FROM (
  SELECT * FROM deliveries
  WHERE status = 'failed' AND id < $1
    AND (SELECT deleted_at IS NULL AND channel = 'webhook' FROM webhook_endpoints w WHERE w.id = endpoint_id)
  ORDER BY id DESC LIMIT $2
) d
JOIN webhook_endpoints w ON w.id = d.endpoint_id
JOIN integrations i ON i.id = d.integration_id
CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
LEFT JOIN LATERAL (
  SELECT a.at, a.status_code, a.error FROM delivery_attempts a
  WHERE a.delivery_id = d.id ORDER BY a.n DESC LIMIT 1
) last ON true
ORDER BY d.id DESC`;

/** Failed deliveries of every merchant, newest first, before the delivery `before`. */
export async function failedDeliveries(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<FailedRow[]> {
  const values = [before ?? lastId, limit];
  const { rows } = await reader.query<FailedRow>({ name: 'failed-deliveries', text: failedSql, values });
  return rows;
}

/** The owner and the endpoint of a failed delivery; null when there is no such delivery. */
export async function findFailed(
  reader: Reader,
  id: string,
): Promise<{ endpoint: string; integrationId: IntegrationId; mode: Mode } | null> {
  const { rows } = await reader.query<{ endpoint_id: string; integration_id: IntegrationId; mode: Mode }>(
    "SELECT endpoint_id, integration_id, mode FROM deliveries WHERE id = $1 AND status = 'failed'",
    [id],
  );
  const row = rows[0];
  return row ? { endpoint: row.endpoint_id, integrationId: row.integration_id, mode: row.mode } : null;
}
