import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { FaultKind } from '../answers/chaos-answers.ts';
import { invoiceEventTypes, type SentType } from '../events/event-types.ts';

/** One attempt to send an event to an endpoint. `response` is the answer's beginning. */
export type PaymentAttempt = {
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  injected_fault: FaultKind | null;
  response: string | null;
};

/** An event on its way to one endpoint; held ones are left out. */
type PaymentDelivery = {
  id: string;
  endpoint_id: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: string | null;
  attempts: PaymentAttempt[];
};

/** An event of a payment; without deliveries when no endpoint was subscribed to it. */
export type PaymentEvent = {
  event_id: string;
  event_type: SentType;
  sequence: number;
  created_at: string;
  body: string;
  deliveries: PaymentDelivery[];
};

const isOfInvoice = (type: SentType): boolean => invoiceEventTypes.some((each) => each === type);

type Row = Omit<PaymentEvent, 'created_at'> & { created_at: Date };

const maxDeliveries = 50;
const shownResponseLength = 2_000;

// to_json writes times in PostgreSQL's format; a page reads ISO 8601.
const iso = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The events of one of the owner's payments, found by its reference, in their order; each with its newest
 * deliveries and their attempts.
 */
export async function webhooksOfPayment(
  reader: Reader,
  owner: Owner,
  reference: string,
): Promise<PaymentEvent[]> {
  const { rows } = await reader.query<Row>(
    `SELECT e.id AS event_id, e.type AS event_type, e.sequence, e.created_at, e.body,
       coalesce(d.list, '[]') AS deliveries
     FROM events e
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_object('id', d.id, 'endpoint_id', d.endpoint_id, 'url', w.url,
         'status', d.status, 'next_attempt_at', ${iso('d.next_attempt_at')}, 'attempts', coalesce(a.list, '[]'))
         ORDER BY d.id) AS list
       FROM (SELECT * FROM deliveries WHERE event_id = e.id AND status <> 'held' ORDER BY id DESC LIMIT ${maxDeliveries}) d
       JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.channel = 'webhook'
       LEFT JOIN LATERAL (
         SELECT json_agg(json_build_object('at', ${iso('at')}, 'status_code', status_code,
           'duration_ms', duration_ms, 'error', error, 'injected_fault', injected_fault, 'response', left(response, ${shownResponseLength}))
           ORDER BY n) AS list
         FROM delivery_attempts WHERE delivery_id = d.id
       ) a ON true
     ) d ON true
     WHERE e.payment_reference = $1 AND e.integration_id = $2 AND e.mode = $3
     ORDER BY e.sequence, e.seq`,
    [reference, owner.integrationId, owner.mode],
  );
  // What a door tells is shown where there is somebody who is told.
  return rows
    .filter(({ event_type: type, deliveries }) => deliveries.length > 0 || !isOfInvoice(type))
    .map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
