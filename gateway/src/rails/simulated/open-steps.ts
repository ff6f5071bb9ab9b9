import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Act } from './rail.ts';

/** A step that is still to come: what the simulated chain will show of a payment, or what its script will do to it. */
export type OpenStep = { paymentId: string; state: 'seen' | 'final' | 'gone' | Act; dueAt: Date };

/** The integration's open steps, the next one first. */
export async function openSteps(reader: Reader, integrationId: string, limit: number): Promise<OpenStep[]> {
  const { rows } = await reader.query<OpenStep>(
    `SELECT payment_id AS "paymentId", coalesce(act, state) AS state, due_at AS "dueAt" FROM simulated_steps
     WHERE integration_id = $1 AND done_at IS NULL ORDER BY due_at, id LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}

/** When the next step of each of these payments is due; those that have none are left out. */
export async function nextSteps(reader: Reader, paymentIds: readonly string[]): Promise<Map<string, Date>> {
  if (paymentIds.length === 0) return new Map();
  const { rows } = await reader.query<{ payment_id: string; due_at: Date }>({
    name: 'next-simulated-steps',
    text: `SELECT payment_id, min(due_at) AS due_at FROM simulated_steps
       WHERE payment_id = ANY($1) AND done_at IS NULL GROUP BY payment_id`,
    values: [paymentIds],
  });
  return new Map(rows.map((row) => [row.payment_id, row.due_at]));
}

/** How many steps of the payment's scripts are still to come. */
export async function countOpenSteps(reader: Reader, paymentId: string): Promise<number> {
  const counted = await reader.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM simulated_steps WHERE payment_id = $1 AND done_at IS NULL',
    [paymentId],
  );
  return oneRow(counted, 'open steps of a payment').count;
}
