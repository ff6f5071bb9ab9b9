import type { Reader } from '../../kit/db.ts';

/** What the simulated chain still has to show of a payment. */
export type OpenStep = { paymentId: string; state: 'seen' | 'final' | 'gone'; dueAt: Date };

/** The integration's open steps, the next one first. */
export async function openSteps(reader: Reader, integrationId: string, limit: number): Promise<OpenStep[]> {
  const { rows } = await reader.query<OpenStep>(
    `SELECT payment_id AS "paymentId", state, due_at AS "dueAt" FROM simulated_steps
     WHERE integration_id = $1 AND done_at IS NULL ORDER BY due_at, id LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}
