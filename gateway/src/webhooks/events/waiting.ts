import type { Reader } from '../../kit/db/db.ts';
import type { EventType } from './event-types.ts';

/** A delivery that will be sent at `dueAt`; `attempts` have failed. */
export type WaitingDelivery = {
  type: EventType;
  reference: string;
  attempts: number;
  dueAt: Date;
};

// Why OFFSET 0: to plan a join, PostgreSQL reads the lowest and the highest id of each index, and passes all entries
// that the purge has deleted since the last vacuum. At 10 million payments that alone took 40 ms for a page. A subquery
// with OFFSET 0 is not planned as a join. And in a join, each row would read all of a part that was empty when it was planned.
/** The integration's test deliveries that wait to be sent, the next one first. */
export async function waitingTestDeliveries(
  reader: Reader,
  integrationId: string,
  limit: number,
): Promise<WaitingDelivery[]> {
  const { rows } = await reader.query<WaitingDelivery>(
    `SELECT e.type, e.payment_reference AS reference, d.attempts, d.next_attempt_at AS "dueAt"
     FROM deliveries d CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
     WHERE d.integration_id = $1 AND d.mode = 'test' AND d.status = 'pending'
       AND (SELECT w.channel = 'webhook' FROM webhook_endpoints w WHERE w.id = d.endpoint_id)
     ORDER BY d.next_attempt_at LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}
