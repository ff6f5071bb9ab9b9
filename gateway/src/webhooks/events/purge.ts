import { after, type Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { deletedAtOnce, makeParts, oldUntil, unlessLocked } from '../../kit/db/parts.ts';
import { firstId } from '../../kit/ids.ts';
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
/** Where the tables were not free: others wait behind each try. */
const againMs = 60 * 1000;

// Of an event that waits for a delivery all deliveries are kept, however old it is.
const deleteBatch = `
  WITH batch AS (
    SELECT DISTINCT event_id AS id FROM deliveries
    WHERE event_id > $1 AND event_id < first_id_at($2) ORDER BY event_id LIMIT ${batchSize}
  ), old AS MATERIALIZED (
    SELECT id FROM batch
    WHERE (SELECT d.id FROM deliveries d WHERE d.event_id = batch.id AND d.status = 'pending' LIMIT 1) IS NULL
  ), deleted AS (
    DELETE FROM deliveries d USING old WHERE d.event_id = old.id
  )
  SELECT (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*) FROM batch)::integer AS seen`;

// What still has deliveries is kept.
const dropSql = `
  WITH kept AS MATERIALIZED (
    SELECT event_id, id FROM deliveries WHERE event_id < first_id_at($1)
  )
  SELECT drop_parts('events', $1, ARRAY(SELECT DISTINCT event_id FROM kept)) AS events,
    drop_parts('delivery_attempts', $1, ARRAY(SELECT id FROM kept)) AS attempts`;

/**
 * Returns a function that makes room for new events, and forgets old ones with their deliveries and attempts, a part of the work at
 * each call. The deliveries go first, in batches; then events and attempts, some days at once (docs/scale.md#partitions). Then it
 * rests for an hour, since deliveries of what is kept would be read again at each call.
 */
export function createPurge({ db, now, keptDays }: PurgeDeps): () => Promise<void> {
  let position = firstId;
  let restsUntil = 0;

  return async () => {
    if (performance.now() < restsUntil) return;
    if (position === firstId) {
      await forgetTraces(db, after(now(), -tracedDays * daySeconds));
      for (const table of ['events', 'delivery_attempts']) await makeParts(db, { table, keptDays });
    }
    const end = await oldUntil(db, 'events', after(now(), -keptDays * daySeconds));
    const until = performance.now() + roundMs;
    while (performance.now() < until) {
      const batch = await transaction(db, (tx) => deleteSome(tx, position, end));
      position = batch.last ?? position;
      if (batch.seen === batchSize) continue;
      const deleted = await dropOld(db, end);
      if (deleted === deletedAtOnce) continue;
      position = firstId;
      restsUntil = performance.now() + (deleted === null ? againMs : restMs);
      break;
    }
  };
}

type Batch = { last: string | null; seen: number };

async function deleteSome(tx: Tx, from: string, end: Date): Promise<Batch> {
  await holdOffResends(tx);
  return oneRow(await tx.query<Batch>(deleteBatch, [from, end]), 'delete old deliveries');
}

/** Returns how many rows it deleted one by one; null where the tables were not free. */
async function dropOld(db: Database, end: Date): Promise<number | null> {
  return await unlessLocked(() =>
    transaction(db, async (tx) => {
      await holdOffResends(tx);
      const { rows } = await tx.query<{ events: number; attempts: number }>(dropSql, [end]);
      const { events, attempts } = oneRow({ rows }, 'drop old events');
      return Math.max(events, attempts);
    }),
  );
}
