import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { isMissing } from '../endpoints/missed.ts';
import { keepEvents } from '../events/keep-events.ts';
import { deliveryIdSql, wakeWorkers } from '../events/outbox.ts';

/** Rows that are looked at in one commit. */
export const batchSize = 1_000;

// What is queued together is due in its own order: each a microsecond after the one before.
const dueInOrder = (place: string, size: string): string =>
  `statement_timestamp() - (${size} - ${place}) * interval '1 microsecond'`;

const queueFailed = `
  WITH batch AS (
    SELECT id FROM deliveries
    WHERE endpoint_id = $1 AND status = 'failed' AND id > $2 AND id <= $3 ORDER BY id LIMIT $4
  ), placed AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place, count(*) OVER () AS size FROM batch
  ), queued AS (
    UPDATE deliveries d SET status = 'pending', next_attempt_at = ${dueInOrder('placed.place', 'placed.size')}
    FROM placed WHERE d.endpoint_id = $1 AND d.id = placed.id AND d.status = 'failed'
    RETURNING d.id
  )
  SELECT (SELECT count(*) FROM queued)::integer AS queued, (SELECT count(*) FROM batch)::integer AS seen,
    (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last`;

// What to look at is chosen first: how few of them are missing must not lead to a plan that reads all the others each
// time.
const missedSql = `
  WITH seen AS MATERIALIZED (
    SELECT e.*, w.id AS endpoint_id
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT of_type.* FROM unnest(w.events) AS wanted (type) CROSS JOIN LATERAL (
        SELECT e.seq, e.id, e.integration_id, e.mode, e.created_at, e.only_endpoint_id, e.about_endpoint_id FROM events e
        WHERE e.integration_id = w.integration_id AND e.mode = w.mode AND e.type = wanted.type
          AND e.seq > $2 AND e.seq <= $3
        ORDER BY e.seq LIMIT $4
      ) of_type ORDER BY of_type.seq LIMIT $4
    ) e
    WHERE w.id = $1
  ), missing AS (
    SELECT e.*, row_number() OVER (ORDER BY e.seq) AS place, count(*) OVER () AS size
    FROM seen e JOIN webhook_endpoints w ON w.id = e.endpoint_id
    WHERE ($5::timestamptz IS NULL OR e.created_at >= $5) AND ${isMissing}
  ), queued AS (
    INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, next_attempt_at)
    SELECT endpoint_id, ${deliveryIdSql('missing.id')}, id, integration_id, mode, ${dueInOrder('place', 'size')}
    FROM missing ORDER BY seq
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM queued)::integer AS queued, (SELECT count(*) FROM seen)::integer AS seen,
    (SELECT max(seq) FROM seen) AS last`;

type Row = {
  since: Date | null;
  failed_after: string;
  failed_until: string;
  missed_after: bigint;
  missed_until: bigint;
};
/** How many were queued of those that were looked at; all there were, if less than `batchSize`; and the last one. */
type Queued<Cursor> = { queued: number; seen: number; last: Cursor | null };

/** Which events to look at: those with a `seq` beyond `after`, up to `until`. */
type Gap = { endpointId: string; after: bigint; until: bigint; since: Date | null };

/**
 * Looks at the next thousand events that an endpoint is subscribed to, and makes deliveries of those that it should
 * have and has not.
 */
export async function queueMissed(tx: Tx, { endpointId, after, until, since }: Gap): Promise<Queued<bigint>> {
  const { rows } = await tx.query<Queued<bigint>>(missedSql, [endpointId, after, until, batchSize, since]);
  return rows[0]!;
}

/**
 * Queues the next thousand of an endpoint's replay. Answers whether it is done; a replay that another process works
 * at counts as that.
 */
export async function replayBatch(tx: Tx, hints: Hints, endpointId: string): Promise<boolean> {
  const { rows } = await tx.query<Row>(
    `SELECT r.* FROM webhook_replays r
     WHERE r.endpoint_id = $1 AND r.finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [endpointId],
  );
  const replay = rows[0];
  if (!replay) return true;
  await keepEvents(tx);
  const next = await queueNext(tx, endpointId, replay);
  const isDone = next.failed_after >= next.failed_until && next.missed_after >= next.missed_until;
  await tx.query(
    `UPDATE webhook_replays SET failed_after = $2, missed_after = $3, queued = queued + $4,
       finished_at = CASE WHEN $5 THEN clock_timestamp() END
     WHERE endpoint_id = $1`,
    [endpointId, next.failed_after, next.missed_after, next.queued, isDone],
  );
  wakeWorkers(tx, hints, [{ endpoint_id: endpointId }]);
  return isDone;
}

/** What failed comes first: it is older than a gap that followed it. */
async function queueNext(tx: Tx, endpointId: string, replay: Row): Promise<Row & { queued: number }> {
  if (replay.failed_after < replay.failed_until) {
    const { rows } = await tx.query<Queued<string>>(queueFailed, [
      endpointId,
      replay.failed_after,
      replay.failed_until,
      batchSize,
    ]);
    const { queued, seen, last } = rows[0]!;
    const failed_after = seen < batchSize ? replay.failed_until : last!;
    return { ...replay, failed_after, queued };
  }
  const { queued, seen, last } = await queueMissed(tx, {
    endpointId,
    after: replay.missed_after,
    until: replay.missed_until,
    since: replay.since,
  });
  const missed_after = seen < batchSize ? replay.missed_until : last!;
  return { ...replay, missed_after, queued };
}
