import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { EndpointHealth, HealthWindow } from '../answers/console-answers.ts';
import type { EndpointId } from './endpoints.ts';
import { percentile } from './latency.ts';

const maxQueued = 10_000;

// Whole hours: the current one and the 23, or 167, before it.
const since = (hours: number): string => `date_trunc('hour', now()) - interval '${hours - 1} hours'`;

type CountRow = {
  endpoint_id: EndpointId;
  recent: boolean;
  delivered: boolean;
  within_ms: number;
  attempts: number;
  last_at: Date;
};
type HourRow = { endpoint_id: EndpointId; hour: Date; delivered: number; failed: number };
type QueueRow = { endpoint_id: EndpointId; queued: number; next_attempt_at: Date | null };

/** The health of each endpoint, from counts that are seconds old. */
export async function healthOf(
  reader: Reader,
  endpoints: readonly EndpointId[],
): Promise<Map<EndpointId, EndpointHealth>> {
  const counts = await reader.query<CountRow>(
    `SELECT endpoint_id, hour >= ${since(24)} AS recent, delivered, within_ms, sum(attempts)::integer AS attempts,
       max(last_at) AS last_at
     FROM webhook_hours WHERE endpoint_id = ANY ($1) AND hour >= ${since(168)}
     GROUP BY 1, 2, 3, 4`,
    [endpoints],
  );
  const hours = await reader.query<HourRow>(
    `SELECT endpoint_id, hour, coalesce(sum(attempts) FILTER (WHERE delivered), 0)::integer AS delivered,
       coalesce(sum(attempts) FILTER (WHERE NOT delivered), 0)::integer AS failed
     FROM webhook_hours WHERE endpoint_id = ANY ($1) AND hour >= ${since(24)}
     GROUP BY 1, 2 ORDER BY 2`,
    [endpoints],
  );
  const queues = await reader.query<QueueRow>(
    `SELECT w.id AS endpoint_id, q.queued, q.next_attempt_at
     FROM unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT count(*)::integer AS queued, min(next_attempt_at) AS next_attempt_at FROM (
         SELECT next_attempt_at FROM deliveries WHERE endpoint_id = w.id AND status = 'pending'
         ORDER BY next_attempt_at LIMIT ${maxQueued}
       ) d
     ) q`,
    [endpoints],
  );
  const queueOf = new Map(queues.rows.map((row) => [row.endpoint_id, row]));
  return new Map(
    endpoints.map((id) => [
      id,
      {
        ...countsOf(counts.rows.filter((row) => row.endpoint_id === id)),
        hours: hours.rows
          .filter((row) => row.endpoint_id === id)
          .map(({ hour, delivered, failed }) => ({ hour: hour.toISOString(), delivered, failed })),
        queued: queueOf.get(id)?.queued ?? 0,
        next_attempt_at: queueOf.get(id)?.next_attempt_at?.toISOString() ?? null,
      },
    ]),
  );
}

function countsOf(
  rows: readonly CountRow[],
): Pick<EndpointHealth, 'last_day' | 'last_week' | 'last_success_at'> {
  const successes = rows.filter((row) => row.delivered).map((row) => row.last_at.getTime());
  return {
    last_day: windowOf(rows.filter((row) => row.recent)),
    last_week: windowOf(rows),
    last_success_at: successes.length === 0 ? null : new Date(Math.max(...successes)).toISOString(),
  };
}

function windowOf(rows: readonly CountRow[]): HealthWindow {
  const took = new Map<number, number>();
  let delivered = 0;
  let failed = 0;
  for (const row of rows) {
    if (row.delivered) {
      delivered += row.attempts;
      took.set(row.within_ms, (took.get(row.within_ms) ?? 0) + row.attempts);
    } else failed += row.attempts;
  }
  return { delivered, failed, p50_ms: percentile(took, 0.5), p95_ms: percentile(took, 0.95) };
}

/** Whether one of the owner's endpoints ever took a real payment's event, one that no test button made. */
export async function hasVerifiedWebhook(
  reader: Reader,
  integrationId: Owner['integrationId'],
  mode: Owner['mode'],
): Promise<boolean> {
  const { rowCount } = await reader.query(
    `SELECT FROM webhook_endpoints
     WHERE integration_id = $1 AND mode = $2 AND deleted_at IS NULL AND verified_at IS NOT NULL LIMIT 1`,
    [integrationId, mode],
  );
  return rowCount !== 0;
}
