import type { Owner } from '../../gateway/src/identity/owner.ts';
import type { Tx } from '../../gateway/src/kit/db/db.ts';
import type { EventType } from '../../gateway/src/webhooks/events/event-types.ts';
import { deliveryIdSql } from '../../gateway/src/webhooks/events/outbox.ts';

const insertEventsSql = `
INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at)
SELECT e.id, $1::uuid, $2::text, m.event, p.id, p.reference, m.n,
  json_build_object('event_id', e.id, 'payment_id', p.id, 'currency', p.currency, 'amount', p.value,
    'payment_reference', p.reference, 'payment_status', m.to_status,
    'service_fee', trim_scale(p.fee / power(10::numeric, p.scale)), 'customer_email', '',
    'customer_reference', 'cust_' || p.customer, 'integration_id', $1::uuid, 'event_type', m.event,
    'timestamp', extract(epoch FROM m.at)::bigint)::text,
  m.at
FROM seed_moves m JOIN seed_payments p USING (id)
CROSS JOIN LATERAL (SELECT (lpad(to_hex((extract(epoch FROM m.at) * 1000)::bigint), 12, '0') || '7'
  || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid AS id) e
WHERE m.at >= $3::timestamptz
ORDER BY m.at
RETURNING id, type, created_at`;

const insertDeliveriesSql = `
WITH made AS (
  SELECT w.id AS endpoint_id, ${deliveryIdSql('e.id')} AS id, e.id AS event_id, e.created_at, random() AS luck
  FROM seed_events e CROSS JOIN (
    SELECT id FROM webhook_endpoints WHERE integration_id = $1::uuid AND mode = $2::text AND deleted_at IS NULL
    ORDER BY created_at LIMIT 1
  ) w WHERE e.type = ANY ($3::text[])
), delivered AS (
  INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, attempts, next_attempt_at, created_at)
  SELECT endpoint_id, id, event_id, $1::uuid, $2::text, CASE WHEN luck < 0.01 THEN 'failed' ELSE 'delivered' END,
    CASE WHEN luck < 0.03 THEN 2 ELSE 1 END, NULL, created_at FROM made
)
INSERT INTO delivery_attempts (delivery_id, n, at, duration_ms, status_code, response)
SELECT id, n, created_at + (n - 1) * interval '1 minute', 20 + floor(luck * 300),
  CASE WHEN luck < 0.01 OR (luck < 0.03 AND n = 1) THEN 500 ELSE 200 END, 'ok'
FROM made CROSS JOIN generate_series(1, 2) n
WHERE n = 1 OR luck < 0.03`;

/**
 * Makes up the events of the payments in `seed_payments` whose steps in `seed_moves` are not older than
 * `since`, and deliveries of those of these types to the integration's first endpoint, where it has one.
 */
export async function seedEvents(
  tx: Tx,
  owner: Owner,
  { since, types }: { since: Date; types: readonly EventType[] },
): Promise<void> {
  const values = [owner.integrationId, owner.mode];
  await tx.query('CREATE TEMP TABLE seed_events (id uuid, type text, created_at timestamptz) ON COMMIT DROP');
  await tx.query(
    `WITH made AS (${insertEventsSql}) INSERT INTO seed_events SELECT id, type, created_at FROM made`,
    [...values, since],
  );
  await tx.query(insertDeliveriesSql, [...values, types]);
}
