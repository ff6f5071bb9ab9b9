import { after, type Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { firstId, firstIdAt } from '../../kit/ids.ts';
import { holdEvents } from './keep-events.ts';

export type PurgeDeps = {
  db: Database;
  now: Clock;
  /** How long events are kept (EVENT_RETENTION_DAYS). */
  keptDays: number;
};

const daySeconds = 24 * 3600;
const batchSize = 1_000;
// Short, so that a gateway that is to stop does so soon; the next round goes on.
const roundMs = 500;
const restMs = 3600 * 1000;

// Ids carry the time: the oldest lie at the beginning of the primary key. The event of a delivery that
// waits is kept, however old it is.
const forgetBatch = `
  WITH batch AS (
    SELECT id FROM events WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${batchSize}
  ), old AS MATERIALIZED (
    SELECT id FROM batch
    WHERE (SELECT d.id FROM deliveries d WHERE d.event_id = batch.id AND d.status = 'pending' LIMIT 1) IS NULL
  ), undelivered AS (
    DELETE FROM deliveries d USING old WHERE d.event_id = old.id RETURNING d.id
  ), untried AS (
    DELETE FROM delivery_attempts a USING undelivered WHERE a.delivery_id = undelivered.id
  ), forgotten AS (
    DELETE FROM events e USING old WHERE e.id = old.id RETURNING e.id
  )
  SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM batch)::integer AS seen,
    (SELECT count(*) FROM forgotten)::integer AS forgotten`;

/**
 * Returns what forgets old events with their deliveries and attempts, a part of them at each call; answers how many
 * events. Once it came to the end it rests for an hour, since what waits keeps its event and would be looked at
 * again and again.
 */
export function createPurge({ db, now, keptDays }: PurgeDeps): () => Promise<number> {
  let position = firstId;
  let restsUntil = 0;

  return async () => {
    if (performance.now() < restsUntil) return 0;
    const end = firstIdAt(after(now(), -keptDays * daySeconds));
    const until = performance.now() + roundMs;
    let forgotten = 0;
    while (performance.now() < until) {
      const batch = await transaction(db, (tx) => forget(tx, position, end));
      forgotten += batch.forgotten;
      position = batch.last ?? position;
      if (batch.seen === batchSize) continue;
      position = firstId;
      restsUntil = performance.now() + restMs;
      break;
    }
    return forgotten;
  };
}

type Batch = { last: string | null; seen: number; forgotten: number };

async function forget(tx: Tx, from: string, end: string): Promise<Batch> {
  await holdEvents(tx);
  return oneRow(await tx.query<Batch>(forgetBatch, [from, end]), 'delete old events');
}
