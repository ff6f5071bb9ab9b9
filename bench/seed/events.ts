import type { Owner } from '../../gateway/src/identity/owner.ts';
import type { Tx } from '../../gateway/src/kit/db/db.ts';
import type { EventType } from '../../gateway/src/webhooks/events/event-types.ts';

/** Writes the body in the same form as `eventBody`. */
const insertEventsSql = `
INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at)
SELECT event_id, $1::uuid, $2::text, event, id, reference, n,
  '{"event_id":"' || event_id || '","payment_id":"' || id || '","currency":"' || currency || '","amount":' || value
    || ',"payment_reference":"' || reference || '","payment_status":"' || to_status || '","service_fee":' || fee_value
    || ',"customer_email":"","customer_reference":"cust_' || customer || '","integration_id":"' || $1::text
    || '","event_type":"' || event || '","timestamp":' || ms / 1000 || '}',
  at
FROM seed_moves WHERE at >= $3::timestamptz`;

const drawDeliveriesSql = `
CREATE TEMP TABLE seed_deliveries ON COMMIT DROP AS
SELECT w.id AS endpoint_id, (substr(event_id::text, 1, 18) || '-8' || substr(md5(random()::text), 1, 15))::uuid AS id,
  event_id, at, random() AS luck
FROM seed_moves CROSS JOIN (
  SELECT id FROM webhook_endpoints WHERE integration_id = $1::uuid AND mode = $2::text AND deleted_at IS NULL
  ORDER BY created_at LIMIT 1
) w WHERE at >= $3::timestamptz AND event = ANY ($4::text[])`;

const insertDeliveriesSql = `
INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, attempts, next_attempt_at, created_at)
SELECT endpoint_id, id, event_id, $1::uuid, $2::text, CASE WHEN luck < 0.01 THEN 'failed' ELSE 'delivered' END,
  CASE WHEN luck < 0.03 THEN 2 ELSE 1 END, NULL, at FROM seed_deliveries`;

const insertAttemptsSql = `
INSERT INTO delivery_attempts (delivery_id, n, at, duration_ms, status_code, response)
SELECT id, n, at + (n - 1) * interval '1 minute', 20 + floor(luck * 300),
  CASE WHEN luck < 0.01 OR (luck < 0.03 AND n = 1) THEN 500 ELSE 200 END, 'ok'
FROM seed_deliveries CROSS JOIN LATERAL generate_series(1, CASE WHEN luck < 0.03 THEN 2 ELSE 1 END) n`;

/**
 * Writes the events of the payments in `seed_payments` whose steps in `seed_moves` are not older than `since`, and
 * deliveries of the given types to the integration's first endpoint, where it has one.
 */
export async function seedEvents(
  tx: Tx,
  owner: Owner,
  { since, types }: { since: Date; types: readonly EventType[] },
): Promise<void> {
  const values = [owner.integrationId, owner.mode];
  await tx.query(insertEventsSql, [...values, since]);
  await tx.query(drawDeliveriesSql, [...values, since, types]);
  await tx.query(insertDeliveriesSql, values);
  await tx.query(insertAttemptsSql);
}
