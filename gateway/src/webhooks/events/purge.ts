import { after, type Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { firstId, firstIdAt } from '../../kit/ids.ts';
import { forgetTraces } from './event-traces.ts';
import { holdOffResends } from './keep-events.ts';

export type PurgeDeps = {
  db: Database;
  now: Clock;
  /** How long events are kept (EVENT_RETENTION_DAYS). */
  keptDays: number;
};

const daySeconds = 24 * 3600;
// The last retry comes within seven days.
const tracedDays = 8;
const batchSize = 1_000;
// Short, so that a gateway that stops need not wait long; the next round continues.
const roundMs = 500;
const restMs = 3600 * 1000;

// Ids are in order of time: the oldest are at the beginning of the primary key. The event of a pending delivery is
// kept, however old it is.
const deleteBatch = `
  WITH batch AS (
    SELECT id FROM events WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${batchSize}
  ), old AS MATERIALIZED (
    SELECT id FROM batch
    WHERE (SELECT d.id FROM deliveries d WHERE d.event_id = batch.id AND d.status = 'pending' LIMIT 1) IS NULL
  ), undelivered AS (
    DELETE FROM deliveries d USING old WHERE d.event_id = old.id RETURNING d.id
  ), untried AS (
    DELETE FROM delivery_attempts a USING undelivered WHERE a.delivery_id = undelivered.id
  ), deleted AS (
    DELETE FROM events e USING old WHERE e.id = old.id RETURNING e.id
  )
  SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM batch)::integer AS seen,
    (SELECT count(*) FROM deleted)::integer AS deleted`;

/**
 * Returns a function that deletes old events with their deliveries and attempts, a part of them at each call, and
 * returns how many. After the last one it rests for an hour, since events of pending deliveries stay and would be read
 * again at each call.
 */
export function createPurge({ db, now, keptDays }: PurgeDeps): () => Promise<number> {
  let position = firstId;
  let restsUntil = 0;

  return async () => {
    if (performance.now() < restsUntil) return 0;
    if (position === firstId) await forgetTraces(db, after(now(), -tracedDays * daySeconds));
    const end = firstIdAt(after(now(), -keptDays * daySeconds));
    const until = performance.now() + roundMs;
    let deleted = 0;
    while (performance.now() < until) {
      const batch = await transaction(db, (tx) => deleteSome(tx, position, end));
      deleted += batch.deleted;
      position = batch.last ?? position;
      if (batch.seen === batchSize) continue;
      position = firstId;
      restsUntil = performance.now() + restMs;
      break;
    }
    return deleted;
  };
}

type Batch = { last: string | null; seen: number; deleted: number };

async function deleteSome(tx: Tx, from: string, end: string): Promise<Batch> {
  await holdOffResends(tx);
  return oneRow(await tx.query<Batch>(deleteBatch, [from, end]), 'delete old events');
}
