import type { Reader } from '../../kit/db/db.ts';
import type { EventType } from './event-types.ts';

/** A delivery that will be tried at `dueAt`; `attempts` have failed. */
export type WaitingDelivery = {
  type: EventType;
  reference: string;
  attempts: number;
  dueAt: Date;
};

/** The integration's test deliveries that wait to be tried, the next one first. */
export async function waitingTestDeliveries(
  reader: Reader,
  integrationId: string,
  limit: number,
): Promise<WaitingDelivery[]> {
  const { rows } = await reader.query<WaitingDelivery>(
    `SELECT e.type, e.payment_reference AS reference, d.attempts, d.next_attempt_at AS "dueAt"
     FROM deliveries d JOIN events e ON e.id = d.event_id
     WHERE d.integration_id = $1 AND d.mode = 'test' AND d.status = 'pending'
     ORDER BY d.next_attempt_at LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}
