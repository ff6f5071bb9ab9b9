import type { Reader } from '../../kit/db/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { type InvoiceDelivery, invoiceBody, invoiceDeliveryId } from '../events/invoice-events.ts';

/** An attempt at a delivery to an endpoint of the BTCPay door, which that API calls a delivery. */
export type InvoiceAttempt = {
  id: string;
  at: Date;
  statusCode: number | null;
  error: string | null;
};

type Row = { delivery: string; n: number; at: Date; status_code: number | null; error: string | null };

const attemptOf = ({ delivery, n, at, status_code, error }: Row): InvoiceAttempt => ({
  ...{ id: invoiceDeliveryId({ id: delivery, attempts: n - 1 }), at, statusCode: status_code, error },
});

/** The newest attempts at an endpoint, newest first. */
export async function latestAttempts(
  reader: Reader,
  endpoint: EndpointId,
  count: number,
): Promise<InvoiceAttempt[]> {
  const { rows } = await reader.query<Row>(
    `SELECT a.delivery_id AS delivery, a.n, a.at, a.status_code, a.error
     FROM (SELECT id FROM deliveries WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2) d
     CROSS JOIN LATERAL (SELECT * FROM delivery_attempts WHERE delivery_id = d.id OFFSET 0) a ORDER BY a.at DESC, a.delivery_id DESC LIMIT $2`,
    [endpoint, count],
  );
  return rows.map(attemptOf);
}

/** Which attempt an id names: `attempts` were made before it. Null for a text that is no such id. */
export function attemptNamed(name: string): Pick<InvoiceDelivery, 'id' | 'attempts'> | null {
  const id = name.slice(0, 36);
  const rest = name.slice(36);
  if (!isUuid(id) || !/^(?:-[1-9]\d{0,5})?$/.test(rest)) return null;
  return { id, attempts: rest === '' ? 0 : Number.parseInt(rest.slice(1), 10) };
}

/** One attempt at an endpoint, with the exact body that was sent; null: there is none. */
export async function findAttempt(
  reader: Reader,
  endpointId: EndpointId,
  { id, attempts }: Pick<InvoiceDelivery, 'id' | 'attempts'>,
): Promise<(InvoiceAttempt & { body: string }) | null> {
  const { rows } = await reader.query<Row & { body: string }>(
    `SELECT a.delivery_id AS delivery, a.n, a.at, a.status_code, a.error, e.body
     FROM deliveries d CROSS JOIN LATERAL (SELECT * FROM delivery_attempts WHERE delivery_id = d.id AND n = $3 OFFSET 0) a
     CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
     WHERE d.endpoint_id = $1 AND d.id = $2`,
    [endpointId, id, attempts + 1],
  );
  const row = rows[0];
  return row ? { ...attemptOf(row), body: invoiceBody({ id, endpointId, attempts, body: row.body }) } : null;
}

/** The id of the next attempt at a delivery. */
export async function nextAttemptId(
  reader: Reader,
  endpoint: EndpointId,
  id: string,
): Promise<string | null> {
  const { rows } = await reader.query<{ attempts: number }>(
    'SELECT attempts FROM deliveries WHERE endpoint_id = $1 AND id = $2',
    [endpoint, id],
  );
  return rows[0] ? invoiceDeliveryId({ id, attempts: rows[0].attempts }) : null;
}
