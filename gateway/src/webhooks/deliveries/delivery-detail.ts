import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { DeliveryStatus } from '../answers/answers.ts';
import type { FaultKind } from '../answers/chaos-answers.ts';
import type { SentType, WebhookFormat } from '../events/event-types.ts';
import { invoiceBody } from '../events/invoice-events.ts';
import { keepEvents } from '../events/keep-events.ts';
import { wakeWorkers } from '../events/outbox.ts';
import { shownLines } from './request-headers.ts';

type DeliveryRow = {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  endpoint_format: WebhookFormat;
  endpoint_status: 'active' | 'paused' | 'disabled' | 'deleted';
  event_id: string;
  event_type: SentType;
  payment_reference: string;
  payout_reference: string;
  sequence: number;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
};

type AttemptRow = {
  n: number;
  at: Date;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  injected_fault: FaultKind | null;
  request_headers: string | null;
  response_headers: string | null;
  response: string | null;
  response_length: number | null;
};

// Florin makes eleven attempts by itself; people may have asked for more.
const shownAttempts = 25;
const shownResponseLength = 16 * 1024;

/** The two ids by which the dashboard names a delivery. */
export type DeliveryName = { endpoint: string; delivery: string };

/**
 * One of the owner's deliveries, also of a deleted endpoint, with the exact text that is sent and the newest
 * 25 attempts; anything else is `Not found`. The merchant's own headers are kept without their values.
 */
export async function findDelivery(reader: Reader, owner: Owner, name: DeliveryName) {
  if (!isUuid(name.endpoint) || !isUuid(name.delivery)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<DeliveryRow>(
    `SELECT d.id, d.endpoint_id, w.url AS endpoint_url, w.format AS endpoint_format, d.event_id, d.status, d.attempts, d.next_attempt_at,
       d.created_at, e.type AS event_type, e.payment_reference, e.sequence, e.body,
       coalesce(e.payout_reference, e.payout_id::text, '') AS payout_reference,
       CASE WHEN w.deleted_at IS NULL THEN w.status ELSE 'deleted' END AS endpoint_status
     FROM deliveries d CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
     JOIN webhook_endpoints w ON w.id = d.endpoint_id AND w.channel = 'webhook'
     WHERE d.endpoint_id = $1 AND d.id = $2 AND d.integration_id = $3 AND d.mode = $4`,
    [name.endpoint, name.delivery, owner.integrationId, owner.mode],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  return {
    id: row.id,
    endpoint: { id: row.endpoint_id, url: row.endpoint_url, status: row.endpoint_status },
    event: {
      id: row.event_id,
      type: row.event_type,
      payment_reference: row.payment_reference,
      payout_reference: row.payout_reference,
      sequence: row.sequence,
      body: sentBody(row),
    },
    status: row.status,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    attempt_count: row.attempts,
    attempts: await attemptsOf(reader, row),
  };
}

/** The text that was sent last, or will be sent first. */
function sentBody({
  id,
  endpoint_id: endpointId,
  endpoint_format: format,
  attempts,
  body,
}: DeliveryRow): string {
  if (format === 'florin') return body;
  return invoiceBody({ id, endpointId, attempts: Math.max(attempts - 1, 0), body });
}

async function attemptsOf(reader: Reader, { id, event_id: eventId, sequence }: DeliveryRow) {
  const { rows } = await reader.query<AttemptRow>(
    `SELECT n, at, status_code, duration_ms, error, injected_fault, request_headers, response_headers,
       left(response, $3) AS response, length(response) AS response_length
     FROM delivery_attempts WHERE delivery_id = $1 ORDER BY n DESC LIMIT $2`,
    [id, shownAttempts, shownResponseLength],
  );
  return rows.map(({ at, response_length, request_headers: kept, ...attempt }) => ({
    ...attempt,
    at: at.toISOString(),
    request_headers: kept && shownLines(kept, { eventId, sequence, at }),
    response_is_cut: (response_length ?? 0) > shownResponseLength,
  }));
}

/**
 * Sends a delivery once more to its endpoint alone: the same event, the same bytes. One that waits for its retry, or is
 * held, is sent now. Returns false when the endpoint is deleted or disabled: nothing is sent there.
 */
export async function resendDelivery(
  tx: Tx,
  hints: Hints,
  owner: Owner,
  { endpoint, delivery }: DeliveryName,
): Promise<boolean> {
  await keepEvents(tx);
  const { rowCount } = await tx.query(
    `UPDATE deliveries d SET status = 'pending', next_attempt_at = least(d.next_attempt_at, now())
     FROM webhook_endpoints w
     WHERE d.endpoint_id = $1 AND d.id = $2 AND d.integration_id = $3 AND d.mode = $4
       AND w.id = d.endpoint_id AND w.channel = 'webhook' AND w.deleted_at IS NULL AND w.status <> 'disabled'`,
    [endpoint, delivery, owner.integrationId, owner.mode],
  );
  wakeWorkers(tx, hints, [{ endpoint_id: endpoint }]);
  return rowCount === 1;
}
