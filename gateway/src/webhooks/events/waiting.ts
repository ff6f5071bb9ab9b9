import type { Reader } from '../../kit/db/db.ts';
import type { EventType } from './event-types.ts';

/** A delivery that will be tried at `dueAt`; `attempts` have failed. */
export type WaitingDelivery = {
  type: EventType;
  reference: string;
  attempts: number;
  dueAt: Date;
};

// To plan a join of two tables PostgreSQL looks for the lowest and the highest id in their indexes, and goes through all
// that the purge has deleted there since the last vacuum: at 10 million payments a page took 40 ms for that alone. A
// subquery with OFFSET 0 is not planned as a join.
/** The integration's test deliveries that wait to be tried, the next one first. */
export async function waitingTestDeliveries(
  reader: Reader,
  integrationId: string,
  limit: number,
): Promise<WaitingDelivery[]> {
  const { rows } = await reader.query<WaitingDelivery>(
    `SELECT e.type, e.payment_reference AS reference, d.attempts, d.next_attempt_at AS "dueAt"
     FROM deliveries d CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id OFFSET 0) e
     WHERE d.integration_id = $1 AND d.mode = 'test' AND d.status = 'pending'
     ORDER BY d.next_attempt_at LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}
