import type { Reader } from '../../kit/db/db.ts';
import type { PaymentStatus } from '../payment/payment.ts';

export type PaymentBrief = { id: string; reference: string; status: PaymentStatus };

/** The references and statuses of payments, by their ids. */
export async function paymentsById(reader: Reader, ids: string[]): Promise<Map<string, PaymentBrief>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<PaymentBrief>(
    'SELECT id, reference, status FROM payments WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export type WaitingPayment = PaymentBrief & { dueAt: Date };

/** The integration's test payments that time alone will change, the next one first. */
export async function waitingTestPayments(
  reader: Reader,
  integrationId: string,
  limit: number,
): Promise<WaitingPayment[]> {
  const { rows } = await reader.query<WaitingPayment>(
    `SELECT id, reference, status, due_at AS "dueAt" FROM payments
     WHERE integration_id = $1 AND mode = 'test' AND due_at IS NOT NULL ORDER BY due_at LIMIT $2`,
    [integrationId, limit],
  );
  return rows;
}

/** The ids of live payments by their references; one that does not exist is not in it. */
export async function livePaymentIdsOf(reader: Reader, references: string[]): Promise<Map<string, string>> {
  const { rows } = await reader.query<{ id: string; reference: string }>(
    "SELECT id, reference FROM payments WHERE reference = ANY($1) AND mode = 'live'",
    [references],
  );
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}
