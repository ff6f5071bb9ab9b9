import { isMemberSql } from '../../identity/merchants/people.ts';
import { afterCommit, type Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import { type EventInput, eventBody, type PayoutEventInput, payoutBody } from './body.ts';
import { keepTraces } from './event-traces.ts';
import { type EventType, firstPayment, type InvoiceEventType, type NoticeType } from './event-types.ts';
import { countEvents } from './metrics.ts';

export type { EventInput, PayoutEventInput } from './body.ts';

/** The hint that deliveries became due; its key is the endpoint. */
export const deliveriesTopic = 'deliveries';

/** The hint that an endpoint has changed; its key is the endpoint. */
export const endpointsTopic = 'endpoints';

/** SQL for a delivery's id: the first half of a version 7 UUID, so that ids are in order of time, and random bits. */
export function deliveryIdSql(uuid: string): string {
  return `(substr(${uuid}::text, 1, 18) || substr(gen_random_uuid()::text, 19))::uuid`;
}

/** An event as it is stored, with the exact text that is signed and sent. */
export type NewEvent = Pick<EventInput, 'integrationId' | 'mode' | 'at' | 'sequence'> & {
  id: string;
  type: EventType | InvoiceEventType | NoticeType;
  body: string;
  subject: EventSubject;
  /** A sample that somebody asked for: it goes to this endpoint alone. */
  onlyEndpointId: string | null;
};

/** What an event is about. An endpoint is never sent events about itself. */
export type EventSubject =
  | { kind: 'payment'; id: string; reference: string }
  | { kind: 'payout'; id: string; reference: string | null }
  | { kind: 'endpoint'; id: string };

// A notice at once (contract.md#notices): the person chose the type, or the first payment of a day and was told of none today.
const isToldSql = `w.channel <> 'day' AND w.status = 'active' AND (input.type = ANY (w.events)
        OR input.type = 'payment_completed' AND '${firstPayment}' = ANY (w.events) AND coalesce(w.first_after <= moment.at, true))
        AND ${isMemberSql('w.account_id', 'w.integration_id')}`;

// Due by clock_timestamp(), not by the begin of the transaction, which may lie before its wait for the payment's lock:
// deliveries are read in the order of their due times, and the events of a payment or payout must be read in order.
const insertEventsSql = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::integer[], $8::text[], $9::timestamptz[], $10::integer[], $11::uuid[], $12::uuid[], $13::uuid[], $14::text[])
      AS t (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at, followers, about_endpoint_id, only_endpoint_id, payout_id, payout_reference)
  ), moment AS MATERIALIZED (
    SELECT clock_timestamp() AS at
  ), inserted AS (
    INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at, about_endpoint_id, only_endpoint_id, payout_id, payout_reference)
    SELECT id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at, about_endpoint_id, only_endpoint_id, payout_id, payout_reference FROM input
  )
  INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, next_attempt_at)
  SELECT w.id, ${deliveryIdSql('input.id')}, input.id, input.integration_id, input.mode,
    CASE WHEN w.status = 'active' AND NOT w.catching_up THEN 'pending' ELSE 'held' END,
    CASE WHEN w.status = 'active' AND NOT w.catching_up THEN moment.at - input.followers * interval '1 microsecond' END
  FROM input CROSS JOIN moment
  JOIN webhook_endpoints w ON w.integration_id = input.integration_id AND w.mode = input.mode AND w.deleted_at IS NULL
    AND CASE
      WHEN input.only_endpoint_id IS NOT NULL THEN w.id = input.only_endpoint_id
      WHEN w.channel = 'webhook' THEN input.type = ANY (w.events) AND input.about_endpoint_id IS DISTINCT FROM w.id
      ELSE ${isToldSql} END
  RETURNING endpoint_id, status`;

// A transaction that activates an endpoint, or queues the last of its held deliveries, waits for the row locks that are
// taken here. If the endpoint is active by now and nothing is held for it, these deliveries are sent, after the held ones.
const lockHeldSql = `
  WITH off AS MATERIALIZED (
    SELECT id, status, catching_up FROM webhook_endpoints WHERE id = ANY ($1) ORDER BY id FOR SHARE
  ), moment AS MATERIALIZED (
    SELECT max(clock_timestamp()) AS at FROM off
  )
  UPDATE deliveries d
  SET status = 'pending', next_attempt_at = moment.at + (SELECT sequence FROM events WHERE id = d.event_id) * interval '1 microsecond'
  FROM off, moment
  WHERE off.status = 'active' AND NOT off.catching_up AND d.event_id = ANY ($2) AND d.endpoint_id = off.id AND d.status || '' = 'held'
  RETURNING d.endpoint_id`;

/**
 * Writes events of payments and their deliveries, one for each endpoint that subscribed to the type, in the
 * transaction that changed the payments: they exist exactly when the change does. A delivery to an endpoint that is
 * paused, disabled or catching up is held. Returns the events' ids, in order; workers are woken after the commit.
 */
export async function recordEvents(tx: Tx, hints: Hints, events: readonly EventInput[]): Promise<string[]> {
  const made = events.map((event): NewEvent => {
    const id = newId<'event'>(event.at);
    const subject = { kind: 'payment', id: event.payment.id, reference: event.payment.reference } as const;
    return { ...event, subject, onlyEndpointId: null, id, body: eventBody(id, event) };
  });
  await insertEvents(tx, hints, made);
  return made.map(({ id }) => id);
}

/** The same for events of payouts. */
export async function recordPayoutEvents(
  tx: Tx,
  hints: Hints,
  events: readonly PayoutEventInput[],
): Promise<string[]> {
  const made = events.map((event): NewEvent => {
    const id = newId<'event'>(event.at);
    const subject = { kind: 'payout', id: event.payout.id, reference: event.payout.reference } as const;
    return { ...event, subject, onlyEndpointId: null, id, body: payoutBody(id, event) };
  });
  await insertEvents(tx, hints, made);
  return made.map(({ id }) => id);
}

/** The same for events of any subject. */
export async function insertEvents(tx: Tx, hints: Hints, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const inserting = tx.query<{ endpoint_id: string; status: 'pending' | 'held' }>({
    name: 'record-events',
    text: insertEventsSql,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.integrationId),
      events.map((event) => event.mode),
      events.map((event) => event.type),
      idsOf(events, 'payment'),
      events.map(({ subject }) => (subject.kind === 'payment' ? subject.reference : '')),
      events.map((event) => event.sequence),
      events.map((event) => event.body),
      events.map((event) => event.at),
      followersOf(events),
      idsOf(events, 'endpoint'),
      events.map((event) => event.onlyEndpointId),
      idsOf(events, 'payout'),
      events.map(({ subject }) => (subject.kind === 'payout' ? subject.reference : null)),
    ],
  });
  const [{ rows }] = await Promise.all([inserting, keepTraces(tx, events)]);
  countEvents(tx, events);
  const { pending = [], held = [] } = Object.groupBy(rows, ({ status }) => status);
  wakeWorkers(tx, hints, pending);
  if (held.length === 0) return;
  const values = [held.map(({ endpoint_id }) => endpoint_id), events.map(({ id }) => id)];
  const activated = await tx.query<{ endpoint_id: string }>({ name: 'lock-held', text: lockHeldSql, values });
  wakeWorkers(tx, hints, activated.rows);
}

function idsOf(events: readonly NewEvent[], kind: EventSubject['kind']): (string | null)[] {
  return events.map(({ subject }) => (subject.kind === kind ? subject.id : null));
}

/** How many events of the same subject come after each. */
function followersOf(events: readonly NewEvent[]): number[] {
  const behind = new Map<string, number>();
  return events
    .toReversed()
    .map(({ subject }) => {
      const count = behind.get(subject.id) ?? 0;
      behind.set(subject.id, count + 1);
      return count;
    })
    .toReversed();
}

/** Wakes every worker, after the commit, for the endpoints at which deliveries became due. */
export function wakeWorkers(tx: Tx, hints: Hints, rows: readonly { endpoint_id: string }[]): void {
  const endpoints = new Set(rows.map((row) => row.endpoint_id));
  if (endpoints.size === 0) return;
  afterCommit(tx, () => {
    for (const endpoint of endpoints) hints.send(deliveriesTopic, endpoint);
  });
}

/**
 * Tells every worker, after the commit, that an endpoint has changed: what is queued for it is read again, and sent to
 * its present address with its present secrets.
 */
export function reportChanged(tx: Tx, hints: Hints, endpoint: string): void {
  afterCommit(tx, () => hints.send(endpointsTopic, endpoint));
}
