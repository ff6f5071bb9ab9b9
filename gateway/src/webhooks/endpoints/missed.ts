import type { Reader, Tx } from '../../kit/db/db.ts';

// Which events an endpoint missed while it was paused or disabled. `events.seq` is given out within the statement
// that also reads the endpoints' status. So a status that is committed after `lastSeq` was read cannot concern an
// event that is not after it, and the beginning of a gap is exact.

/** SQL for the newest `events.seq` that was given out. */
export const lastSeq = `coalesce(pg_sequence_last_value('events_seq_seq'), 0)`;

/**
 * SQL: event `e` is one that endpoint `w` should have, and it has no delivery of it. Each event is looked up by its
 * id: joined, or by an index that begins with the endpoint, all that the endpoint ever had would be read each time.
 */
export const isMissing = `e.only_endpoint_id IS NULL AND e.about_endpoint_id IS DISTINCT FROM w.id
  AND (SELECT d.id FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id::text = w.id::text LIMIT 1) IS NULL`;

// Statements are cut off after 30 s, and so are transactions that do nothing: after a minute all that saw the old
// status have given out their numbers, and what they wrote is there.
const settleSeconds = 60;

/** SQL for when to look for what was being written at this moment. */
export const settleTime = `now() + interval '${settleSeconds} seconds'`;

/** Of events that are older than this, none is still to be committed. */
export const longestTransactionSeconds = 300;

/**
 * Notes where a gap begins or ends, in the transaction that changed the endpoint's status; answers since when there
 * is one. A gap that nobody asked to have sent goes on when the endpoint is paused again: only what has no delivery
 * counts anyway.
 */
export async function noteStatus(tx: Tx, endpointId: string): Promise<Date | null> {
  await tx.query(
    `UPDATE webhook_endpoints SET missed_after = coalesce(missed_after, settle_after, ${lastSeq}),
       missing_since = coalesce(missing_since, now()), missed_until = NULL, settle_after = NULL, settle_at = NULL
     WHERE id = $1 AND status <> 'active' AND (missed_after IS NULL OR missed_until IS NOT NULL)`,
    [endpointId],
  );
  await tx.query(
    `UPDATE webhook_endpoints SET missed_until = ${lastSeq}, settle_after = ${lastSeq},
       settle_at = ${settleTime}
     WHERE id = $1 AND status = 'active' AND missed_after IS NOT NULL AND missed_until IS NULL`,
    [endpointId],
  );
  const { rows } = await tx.query<{ missing_since: Date | null }>(
    'SELECT missing_since FROM webhook_endpoints WHERE id = $1',
    [endpointId],
  );
  return rows[0]?.missing_since ?? null;
}

/**
 * How many events each endpoint missed and was not sent since, those from `since` on where it is given. Counted up
 * to `most`; endpoints without any are left out.
 */
export async function missedCounts<EndpointId extends string>(
  reader: Reader,
  endpoints: readonly EndpointId[],
  most: number,
  since: Date | null = null,
): Promise<Map<EndpointId, number>> {
  const { rows } = await reader.query<{ id: EndpointId; missed: number }>(
    `SELECT w.id, m.missed
     FROM webhook_endpoints w CROSS JOIN LATERAL (
       SELECT count(*)::integer AS missed FROM (
         SELECT FROM unnest(w.events) AS wanted (type) CROSS JOIN LATERAL (
           SELECT FROM events e
           WHERE e.integration_id = w.integration_id AND e.mode = w.mode AND e.type = wanted.type
             AND e.seq > w.missed_after AND e.seq <= coalesce(w.missed_until, ${lastSeq})
             AND ($3::timestamptz IS NULL OR e.created_at >= $3) AND ${isMissing}
         ) e LIMIT $2
       ) found
     ) m
     WHERE w.id = ANY ($1) AND w.missed_after IS NOT NULL AND m.missed > 0`,
    [endpoints, most, since],
  );
  return new Map(rows.map(({ id, missed }) => [id, missed]));
}
