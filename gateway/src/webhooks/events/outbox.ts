import { afterCommit, type Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import { type EventInput, eventBody } from './body.ts';

export type { EventInput } from './body.ts';
export type { EventType } from './event-types.ts';

/** The hint that deliveries became due; its key is the endpoint. */
export const deliveriesTopic = 'deliveries';

/** The hint that an endpoint is not what it was; its key is the endpoint. */
export const endpointsTopic = 'endpoints';

/** SQL for a delivery's id: the first half of a version 7 UUID, so that they lie in order, and random bits. */
export function deliveryIdSql(uuid: string): string {
  return `(substr(${uuid}::text, 1, 18) || substr(gen_random_uuid()::text, 19))::uuid`;
}

// Due by the clock and not by the transaction's begin, which may lie before the wait for the payment's lock: what
// became due first is read first, and a payment's events must be read in their order.
const insertEvents = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::integer[], $8::text[], $9::timestamptz[], $10::integer[])
      AS t (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at, followers)
  ), moment AS MATERIALIZED (
    SELECT clock_timestamp() AS at
  ), inserted AS (
    INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at)
    SELECT id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at FROM input
  )
  INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, next_attempt_at)
  SELECT w.id, ${deliveryIdSql('input.id')},
    input.id, input.integration_id, input.mode, moment.at - input.followers * interval '1 microsecond'
  FROM input CROSS JOIN moment
  JOIN webhook_endpoints w ON w.integration_id = input.integration_id AND w.mode = input.mode
    AND w.deleted_at IS NULL AND w.status = 'active' AND input.type = ANY (w.events)
  RETURNING endpoint_id`;

/**
 * Writes events and their deliveries, one for each active endpoint that subscribed to the type, in the
 * transaction that changed the payments: they exist exactly when the change does. Returns the events' ids,
 * in order; workers are woken after the commit.
 */
export async function recordEvents(tx: Tx, hints: Hints, events: readonly EventInput[]): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = events.map((event) => newId<'event'>(event.at));
  const { rows } = await tx.query<{ endpoint_id: string }>({
    name: 'record-events',
    text: insertEvents,
    values: [
      ids,
      events.map((event) => event.integrationId),
      events.map((event) => event.mode),
      events.map((event) => event.type),
      events.map((event) => event.payment.id),
      events.map((event) => event.payment.reference),
      events.map((event) => event.sequence),
      events.map((event, index) => eventBody(ids[index]!, event)),
      events.map((event) => event.at),
      followersOf(events),
    ],
  });
  wakeWorkers(tx, hints, rows);
  return ids;
}

/** How many events of the same payment stand behind each. */
function followersOf(events: readonly EventInput[]): number[] {
  const behind = new Map<string, number>();
  return events
    .toReversed()
    .map(({ payment }) => {
      const count = behind.get(payment.id) ?? 0;
      behind.set(payment.id, count + 1);
      return count;
    })
    .toReversed();
}

/** Tells every worker, once the transaction is durable, at which endpoints deliveries became due. */
export function wakeWorkers(tx: Tx, hints: Hints, rows: readonly { endpoint_id: string }[]): void {
  const endpoints = new Set(rows.map((row) => row.endpoint_id));
  if (endpoints.size === 0) return;
  afterCommit(tx, () => {
    for (const endpoint of endpoints) hints.send(deliveriesTopic, endpoint);
  });
}

/**
 * Tells every worker, once the transaction is durable, that an endpoint has changed: what is queued for it goes where
 * it should go now, signed as it should be now.
 */
export function tellChanged(tx: Tx, hints: Hints, endpoint: string): void {
  afterCommit(tx, () => hints.send(endpointsTopic, endpoint));
}
