import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { firstId, lastId } from '../../kit/ids.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { keepEvents } from '../events/keep-events.ts';
import { wakeWorkers } from '../events/outbox.ts';

/** Deliveries queued in one commit, besides the others of the last one's millisecond. */
const batchSize = 1_000;

/** SQL: the endpoint's failed and held deliveries between two ids, or those of one kind. */
const unsent = (until: string, order = ''): string =>
  `(SELECT id, event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'failed'
     AND id > $2 AND id <= ${until} AND $4::text IS DISTINCT FROM 'missed' ${order})
   UNION ALL
   (SELECT id, event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'held'
     AND id > $2 AND id <= ${until} AND $4::text IS DISTINCT FROM 'failed' ${order})`;

// Ids are ordered by their millisecond, and within a millisecond the events' seq decides the order. So a batch ends at
// the end of a millisecond. Its deliveries become due in their order, each a microsecond after the one before.
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
    FROM (${unsent('(SELECT id FROM edge)')}) batch
    CROSS JOIN LATERAL (SELECT seq FROM events WHERE id = batch.event_id OFFSET 0) e
  ), queued AS (
    UPDATE deliveries d
    SET status = 'pending', next_attempt_at = statement_timestamp() - (size - place) * interval '1 microsecond'
    FROM placed WHERE d.endpoint_id = $1 AND d.id = placed.id AND d.status IN ('failed', 'held')
    RETURNING d.id
  )
  SELECT (SELECT count(*) FROM queued)::integer AS queued, edge.id AS reached FROM edge`;

const lockClass = 706_771_024;

type Unsent = { after: string; until: string; part: 'failed' | 'missed' | null };

/**
 * Queues the next thousand of an endpoint's failed and held deliveries whose ids are beyond `after`. `reached` is the
 * id to go on from; it is `until` when none are left.
 */
async function queueUnsent(tx: Tx, hints: Hints, endpointId: string, { after, until, part }: Unsent) {
  await keepEvents(tx);
  // Against a deadlock of two transactions that queue the same deliveries in different orders.
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [lockClass, endpointId]);
  const values = [endpointId, after, until, part];
  const result = await tx.query<{ queued: number; reached: string }>(queueSql, values);
  wakeWorkers(tx, hints, [{ endpoint_id: endpointId }]);
  return oneRow(result, 'queue unsent deliveries');
}

/**
 * Queues the next thousand of an endpoint's replay. Returns true when it is done, or when another process works on it.
 */
export async function replayBatch(tx: Tx, hints: Hints, endpointId: string): Promise<boolean> {
  const { rows } = await tx.query<Unsent>(
    `SELECT after_id AS after, until_id AS until, part FROM webhook_replays
     WHERE endpoint_id = $1 AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
    [endpointId],
  );
  const [replay] = rows;
  if (!replay) return true;
  const { queued, reached } = await queueUnsent(tx, hints, endpointId, replay);
  const isDone = reached >= replay.until;
  await tx.query(
    `UPDATE webhook_replays SET after_id = $2, queued = queued + $3,
       finished_at = CASE WHEN $4 THEN clock_timestamp() END
     WHERE endpoint_id = $1`,
    [endpointId, reached, queued, isDone],
  );
  return isDone;
}

/** Batches that are queued within the call that begins a replay or activates an endpoint: short ones are done then. */
export const batchesAtOnce = 4;

/**
 * Queues what is held for an endpoint that is active again, in the order in which the events happened: a few thousand
 * at once, the rest by `runReplays`. The transaction has locked the endpoint's row, so that nothing is held for it
 * meanwhile. Returns whether that was all.
 */
export async function queueHeld(tx: Tx, hints: Hints, endpointId: EndpointId): Promise<boolean> {
  let after = firstId;
  for (let n = 0; n < batchesAtOnce && after !== lastId; n++) {
    after = (await queueUnsent(tx, hints, endpointId, { after, until: lastId, part: 'missed' })).reached;
  }
  if (after !== lastId) return false;
  await tx.query('UPDATE webhook_endpoints SET catching_up = false WHERE id = $1', [endpointId]);
  return true;
}

// Payments wait for a lock of the endpoint's row, so only the last batch takes it.
async function heldBatch(db: Database, hints: Hints, id: EndpointId, after: string): Promise<string> {
  const part = { after, until: lastId, part: 'missed' } as const;
  const { reached } = await transaction(db, (tx) => queueUnsent(tx, hints, id, part));
  if (reached !== lastId) return reached;
  return await transaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `SELECT FROM webhook_endpoints
       WHERE id = $1 AND catching_up AND status = 'active' AND deleted_at IS NULL FOR UPDATE`,
      [id],
    );
    return rowCount === 0 || (await queueHeld(tx, hints, id)) ? lastId : firstId;
  });
}

// Short, so that a gateway that stops need not wait long, and other loops have their turn.
const roundMs = 500;

/**
 * Continues every replay that is not done, and queues what is still held for endpoints that are active again: a batch
 * of each in turn, for half a second at most. The failure of one does not stop the others.
 */
export async function runReplays({ db, hints }: { db: Database; hints: Hints }): Promise<void> {
  const { rows } = await db.query<{ id: EndpointId; held: boolean }>(
    `SELECT * FROM (
       SELECT endpoint_id AS id, false AS held FROM webhook_replays WHERE finished_at IS NULL
       UNION ALL
       SELECT id, true FROM webhook_endpoints WHERE catching_up AND status = 'active' AND deleted_at IS NULL
     ) unfinished ORDER BY random() LIMIT 100`,
  );
  const until = performance.now() + roundMs;
  const errors: unknown[] = [];
  let unfinished = rows.map((row) => ({ ...row, after: firstId }));
  while (unfinished.length > 0 && performance.now() < until) {
    const left: typeof unfinished = [];
    for (const { id, held, after } of unfinished) {
      try {
        if (held) {
          const reached = await heldBatch(db, hints, id, after);
          if (reached !== lastId) left.push({ id, held, after: reached });
        } else if (!(await transaction(db, (tx) => replayBatch(tx, hints, id))))
          left.push({ id, held, after });
      } catch (error) {
        errors.push(error);
      }
    }
    unfinished = left;
  }
  if (errors.length > 0) throw errors[0];
}
