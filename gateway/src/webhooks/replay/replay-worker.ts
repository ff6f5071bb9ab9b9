import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { lastSeq, settleTime } from '../endpoints/missed.ts';
import { wakeWorkers } from '../events/outbox.ts';
import { batchSize, queueMissed, replayBatch } from './replay-batch.ts';

export type ReplayWorkerDeps = { db: Database; hints: Hints };

// Short, so that a gateway that is told to stop stops, and others' work is not crowded out.
const roundMs = 500;

/** Goes on with every replay that is not done, a batch of each in turn, for half a second at most. */
export async function runReplays({ db, hints }: ReplayWorkerDeps): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT r.endpoint_id AS id FROM webhook_replays r WHERE r.finished_at IS NULL ORDER BY random() LIMIT 100`,
  );
  await inTurn(rows, (id) => transaction(db, (tx) => replayBatch(tx, hints, id)));
}

const noReplay = `NOT EXISTS (
  SELECT FROM webhook_replays r WHERE r.endpoint_id = w.id AND r.finished_at IS NULL)`;

/**
 * Queues what was being written at the moment at which an endpoint became active: statements that still read its
 * old status made no delivery. Looked for a minute later, when all of those have ended, and not beside a replay, which
 * makes deliveries of the same events. An endpoint for which that fails is tried again a minute later.
 */
export async function settleActivated({ db, hints }: ReplayWorkerDeps): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.id FROM webhook_endpoints w WHERE w.settle_at <= now() AND ${noReplay}
     ORDER BY w.settle_at LIMIT 100`,
  );
  await inTurn(rows, async (id) => {
    try {
      return await transaction(db, (tx) => settleBatch(tx, hints, id));
    } catch (error) {
      await db.query(
        `UPDATE webhook_endpoints SET settle_at = ${settleTime} WHERE id = $1 AND settle_at <= now()`,
        [id],
      );
      throw error;
    }
  });
}

/** A batch of each in turn, until all are done or half a second is over. One that fails keeps nobody else from his. */
async function inTurn(
  rows: readonly { id: string }[],
  batch: (id: string) => Promise<boolean>,
): Promise<void> {
  const until = performance.now() + roundMs;
  const errors: unknown[] = [];
  let unfinished = rows.map(({ id }) => id);
  while (unfinished.length > 0 && performance.now() < until) {
    const left: string[] = [];
    for (const id of unfinished) {
      try {
        if (!(await batch(id))) left.push(id);
      } catch (error) {
        errors.push(error);
      }
    }
    unfinished = left;
  }
  if (errors.length > 0) throw errors[0];
}

/** Looks at the next thousand events; answers whether that was all. One that another process works at counts as that. */
async function settleBatch(tx: Tx, hints: Hints, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ settle_after: bigint; last: bigint }>(
    `SELECT w.settle_after, ${lastSeq} AS last FROM webhook_endpoints w
     WHERE w.id = $1 AND w.settle_at <= now() AND ${noReplay}
     FOR UPDATE SKIP LOCKED`,
    [id],
  );
  const endpoint = rows[0];
  if (!endpoint) return true;
  const { queued, seen, last } = await queueMissed(tx, {
    endpointId: id,
    after: endpoint.settle_after,
    until: endpoint.last,
    since: null,
  });
  const isDone = seen < batchSize;
  await tx.query(
    `UPDATE webhook_endpoints
     SET settle_after = CASE WHEN NOT $3 THEN $2::bigint END, settle_at = CASE WHEN NOT $3 THEN settle_at END
     WHERE id = $1`,
    [id, last, isDone],
  );
  if (queued > 0) wakeWorkers(tx, hints, [{ endpoint_id: id }]);
  return isDone;
}
