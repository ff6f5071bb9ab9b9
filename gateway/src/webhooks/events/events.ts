import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import { type EventType, eventTypes } from './event-types.ts';
import { keepEvents } from './keep-events.ts';
import { deliveryIdSql, wakeWorkers } from './outbox.ts';

type EventRow = {
  id: string;
  seq: bigint;
  type: EventType;
  payment_reference: string;
  payout_reference: string;
  sequence: number;
  body: string;
  created_at: Date;
};

/** An event as the API shows it; `body` is the exact text that was, or would have been, sent. */
export type EventView = {
  event_id: string;
  event_type: EventType;
  payment_reference: string;
  payout_reference: string;
  sequence: number;
  created_at: string;
  body: string;
};

const columns = `id, seq, type, payment_reference, coalesce(payout_reference, '') AS payout_reference, sequence, body,
  created_at`;

function viewOf(row: EventRow): EventView {
  return {
    event_id: row.id,
    event_type: row.type,
    payment_reference: row.payment_reference,
    payout_reference: row.payout_reference,
    sequence: row.sequence,
    created_at: row.created_at.toISOString(),
    body: row.body,
  };
}

/** The owner's events, newest first. Each type is read through the index alone, so that a rare one costs no more. */
export async function listEvents(
  reader: Reader,
  owner: Owner,
  { type, cursor, limit }: { type?: EventType; cursor?: string; limit: number },
) {
  const [before] = cursor ? decodeCursor(cursor, [/^\d{1,18}$/]) : [];
  const { rows } = await reader.query<EventRow>(
    `SELECT e.* FROM unnest($3::text[]) AS wanted (type)
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM events
       WHERE integration_id = $1 AND mode = $2 AND events.type = wanted.type
         AND ($4::bigint IS NULL OR seq < $4)
       ORDER BY seq DESC LIMIT $5
     ) e
     ORDER BY e.seq DESC LIMIT $5`,
    [owner.integrationId, owner.mode, type ? [type] : eventTypes, before, limit + 1],
  );
  const page = pageOf(rows, limit, (row) => encodeCursor([row.seq]));
  return { items: page.items.map(viewOf), next_cursor: page.next_cursor };
}

/** One of the owner's events; anything else is `Not found`. */
export async function findEvent(reader: Reader, owner: Owner, id: string | undefined): Promise<EventView> {
  if (!id || !isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<EventRow>(
    `SELECT ${columns} FROM events WHERE id = $1 AND integration_id = $2 AND mode = $3 AND type = ANY ($4)`,
    [id, owner.integrationId, owner.mode, eventTypes],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return viewOf(rows[0]);
}

/** A payment's events, newest first, each with how many deliveries of it are not held; a payment has few. */
export async function eventsOfPayment(reader: Reader, owner: Owner, reference: string) {
  const { rows } = await reader.query<EventRow & { deliveries: number }>(
    `SELECT ${columns}, (SELECT count(*)::integer
       FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.channel = 'webhook'
       WHERE d.event_id = events.id AND d.status <> 'held') AS deliveries
     FROM events WHERE integration_id = $1 AND mode = $2 AND payment_reference = $3 AND type = ANY ($4)
     ORDER BY seq DESC LIMIT 100`,
    [owner.integrationId, owner.mode, reference, eventTypes],
  );
  return rows.map((row) => {
    const { payout_reference: _, ...view } = viewOf(row);
    return { ...view, deliveries: row.deliveries };
  });
}

/** The newest event of each of these payments that has one. */
export async function lastEvents(
  reader: Reader,
  owner: Owner,
  references: readonly string[],
): Promise<string[]> {
  const { rows } = await reader.query<{ id: string }>(
    `SELECT DISTINCT ON (payment_reference) id FROM events
     WHERE integration_id = $1 AND mode = $2 AND payment_reference = ANY ($3) AND type = ANY ($4)
     ORDER BY payment_reference, seq DESC`,
    [owner.integrationId, owner.mode, references, eventTypes],
  );
  return rows.map(({ id }) => id);
}

// A delivery that waits for its retry, or is held, is sent now; no second one is made.
const resendDeliveries = `
  WITH wanted AS (
    SELECT w.id AS endpoint_id, e.id AS event_id, w.integration_id, w.mode
    FROM events e JOIN webhook_endpoints w ON w.integration_id = e.integration_id AND w.mode = e.mode
    WHERE e.id = ANY ($1) AND w.channel = 'webhook' AND w.deleted_at IS NULL AND w.status <> 'disabled'
      AND e.about_endpoint_id IS DISTINCT FROM w.id
      AND CASE
        WHEN e.only_endpoint_id IS NOT NULL THEN w.id = e.only_endpoint_id
        ELSE e.type = ANY (w.events)
          OR EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)
      END
  ), forwarded AS (
    UPDATE deliveries d SET status = 'pending', next_attempt_at = least(d.next_attempt_at, now())
    FROM wanted
    WHERE d.event_id = wanted.event_id AND d.endpoint_id = wanted.endpoint_id AND d.status IN ('pending', 'held')
    RETURNING d.event_id, d.endpoint_id
  ), made AS (
    INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode)
    SELECT endpoint_id, ${deliveryIdSql('$2')}, event_id, integration_id, mode
    FROM wanted WHERE (event_id, endpoint_id) NOT IN (SELECT event_id, endpoint_id FROM forwarded)
    RETURNING event_id, endpoint_id
  )
  SELECT event_id, endpoint_id FROM forwarded UNION ALL SELECT event_id, endpoint_id FROM made`;

/**
 * Sends events once more, with the same ids and the same bytes, each to every endpoint that is subscribed to it or was
 * ever sent it, except one that it is about. A paused endpoint gets them when it is active again. Returns the number of
 * deliveries.
 */
export async function resendEvents(
  tx: Tx,
  hints: Hints,
  eventIds: readonly string[],
  now: Date,
): Promise<number> {
  await keepEvents(tx);
  const { rows } = await tx.query<{ endpoint_id: string }>(resendDeliveries, [eventIds, newId(now)]);
  wakeWorkers(tx, hints, rows);
  return rows.length;
}
