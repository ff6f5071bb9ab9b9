import { type Database, type Tx, transaction } from '../kit/db.ts';
import type { Hints } from '../kit/hints.ts';
import { lastSeq } from './missed.ts';
import { wakeWorkers } from './outbox.ts';
import { queueMissed, replayBatch } from './replay-batch.ts';

export type ReplayWorkerDeps = { db: Database; hints: Hints };

// Short, so that a gateway that is told to stop stops, and others' work is not crowded out.
const roundMs = 500;

/** Goes on with every replay that is not done, a batch of each in turn, for half a second at most. */
export async function runReplays({ db, hints }: ReplayWorkerDeps): Promise<void> {
  const { rows } = await db.query<{ endpoint_id: string }>(
    `SELECT r.endpoint_id FROM webhook_replays r WHERE r.finished_at IS NULL ORDER BY random() LIMIT 100`,
  );
  const until = performance.now() + roundMs;
  let unfinished = rows.map((row) => row.endpoint_id);
  while (unfinished.length > 0 && performance.now() < until) {
    const left: string[] = [];
    for (const endpoint of unfinished) {
      if (!(await transaction(db, (tx) => replayBatch(tx, hints, endpoint)))) left.push(endpoint);
    }
    unfinished = left;
  }
}

/**
 * Queues what was being written at the moment at which an endpoint became active: statements that still read its
 * old status made no delivery. Looked for a minute later, when all of those have ended, and not beside a replay, which
 * makes deliveries of the same events.
 */
export async function settleActivated({ db, hints }: ReplayWorkerDeps): Promise<void> {
  while (await transaction(db, (tx) => settleNext(tx, hints))) {
    // One endpoint a transaction.
  }
}

const everything = 1_000_000;

async function settleNext(tx: Tx, hints: Hints): Promise<boolean> {
  const { rows } = await tx.query<{ id: string; settle_after: bigint }>(
    `SELECT w.id, w.settle_after FROM webhook_endpoints w WHERE w.settle_at <= now()
       AND NOT EXISTS (SELECT FROM webhook_replays r WHERE r.endpoint_id = w.id AND r.finished_at IS NULL)
     LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  const endpoint = rows[0];
  if (!endpoint) return false;
  const { rows: newest } = await tx.query<{ seq: bigint }>(`SELECT ${lastSeq} AS seq`);
  const values = [endpoint.id, endpoint.settle_after, newest[0]!.seq, everything, null];
  const queued = await tx.query<{ queued: number }>(queueMissed, values);
  await tx.query('UPDATE webhook_endpoints SET settle_after = NULL, settle_at = NULL WHERE id = $1', [
    endpoint.id,
  ]);
  if (queued.rows[0]!.queued > 0) wakeWorkers(tx, hints, [{ endpoint_id: endpoint.id }]);
  return true;
}
