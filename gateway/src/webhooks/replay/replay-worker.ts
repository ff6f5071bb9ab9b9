import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { keepEvents } from '../events/keep-events.ts';
import { wakeWorkers } from '../events/outbox.ts';

/** Deliveries that are queued in one commit, besides those of the last one's millisecond. */
const batchSize = 1_000;

/** SQL: the endpoint's failed and held deliveries between two ids, or those of one kind. */
const unsent = (until: string, order = ''): string =>
  `(SELECT id, event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'failed'
     AND id > $2 AND id <= ${until} AND $4::text IS DISTINCT FROM 'missed' ${order})
   UNION ALL
   (SELECT id, event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'held'
     AND id > $2 AND id <= ${until} AND $4::text IS DISTINCT FROM 'failed' ${order})`;

// Ids are in the order of their milliseconds, and within one the events' seq decides: so a batch ends with a whole
// millisecond. What is queued together is due in its own order, each a microsecond after the one before.
const queueSql = `
  WITH page AS (
    ${unsent('$3', `ORDER BY id LIMIT ${batchSize}`)}
  ), edge AS MATERIALIZED (
    SELECT coalesce((
      SELECT least($3, (substr(id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid)
      FROM page ORDER BY id OFFSET ${batchSize - 1} LIMIT 1
    ), $3) AS id
  ), placed AS (
    SELECT batch.id, row_number() OVER (ORDER BY e.seq) AS place, count(*) OVER () AS size
    FROM (${unsent('(SELECT id FROM edge)')}) batch JOIN events e ON e.id = batch.event_id
  ), queued AS (
    UPDATE deliveries d
    SET status = 'pending', next_attempt_at = statement_timestamp() - (size - place) * interval '1 microsecond'
    FROM placed WHERE d.endpoint_id = $1 AND d.id = placed.id AND d.status IN ('failed', 'held')
    RETURNING d.id
  )
  SELECT (SELECT count(*) FROM queued)::integer AS queued, edge.id AS reached FROM edge`;

type Row = { after_id: string; until_id: string; part: 'failed' | 'missed' | null };

/**
 * Queues the next thousand of an endpoint's replay. Returns whether it is done; a replay that another process works
 * at counts as that.
 */
export async function replayBatch(tx: Tx, hints: Hints, endpointId: string): Promise<boolean> {
  const { rows } = await tx.query<Row>(
    `SELECT after_id, until_id, part FROM webhook_replays
     WHERE endpoint_id = $1 AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [endpointId],
  );
  const replay = rows[0];
  if (!replay) return true;
  await keepEvents(tx);
  const { queued, reached } = oneRow(
    await tx.query<{ queued: number; reached: string }>(queueSql, [
      endpointId,
      replay.after_id,
      replay.until_id,
      replay.part,
    ]),
    'queue a replay',
  );
  const isDone = reached >= replay.until_id;
  await tx.query(
    `UPDATE webhook_replays SET after_id = $2, queued = queued + $3,
       finished_at = CASE WHEN $4 THEN clock_timestamp() END
     WHERE endpoint_id = $1`,
    [endpointId, reached, queued, isDone],
  );
  wakeWorkers(tx, hints, [{ endpoint_id: endpointId }]);
  return isDone;
}

// Short, so that a gateway that is to stop stops, and the work of others is not crowded out.
const roundMs = 500;

/**
 * Goes on with every replay that is not done, a batch of each in turn, for half a second at most. One that fails
 * keeps no other from going on.
 */
export async function runReplays({ db, hints }: { db: Database; hints: Hints }): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT endpoint_id AS id FROM webhook_replays WHERE finished_at IS NULL ORDER BY random() LIMIT 100`,
  );
  const until = performance.now() + roundMs;
  const errors: unknown[] = [];
  let unfinished = rows.map(({ id }) => id);
  while (unfinished.length > 0 && performance.now() < until) {
    const left: string[] = [];
    for (const id of unfinished) {
      try {
        if (!(await transaction(db, (tx) => replayBatch(tx, hints, id)))) left.push(id);
      } catch (error) {
        errors.push(error);
      }
    }
    unfinished = left;
  }
  if (errors.length > 0) throw errors[0];
}
