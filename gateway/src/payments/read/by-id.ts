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

/** A payment names at most so many of its transactions: strangers can send thousands of tiny amounts to an address. */
const mostTransactions = 50;

/** SQL for the transactions of the transfers `t` of a FROM, oldest first, joined by spaces; NULL: there are none. */
export const joinedTransactions = (from: string): string =>
  `(SELECT string_agg(transaction, ' ' ORDER BY seen_at, key) FROM (
    SELECT t.transaction, t.seen_at, t.key FROM ${from} ORDER BY t.seen_at, t.key LIMIT ${mostTransactions}) first)`;

const ownTransfers = `payment_transfers t
  WHERE t.payment_id = w.payment_id AND t.asset = w.asset AND t.state <> 'gone'`;

/** The transactions that paid payments in an asset, oldest first, joined by spaces; by payment and asset. */
export async function transactionsOf(
  reader: Reader,
  wanted: readonly { paymentId: string; asset: string }[],
): Promise<(paymentId: string, asset: string) => string | null> {
  const { rows } = await reader.query<{ payment_id: string; asset: string; transactions: string | null }>(
    `SELECT w.payment_id, w.asset, ${joinedTransactions(ownTransfers)} AS transactions
     FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::text[]) AS w(payment_id, asset)) w`,
    [wanted.map(({ paymentId }) => paymentId), wanted.map(({ asset }) => asset)],
  );
  const byName = new Map(
    rows.map(({ payment_id, asset, transactions }) => [`${payment_id} ${asset}`, transactions]),
  );
  return (paymentId, asset) => byName.get(`${paymentId} ${asset}`) ?? null;
}

/** Which of these ids are refunds. */
export async function refundIdsAmong(reader: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await reader.query<{ id: string }>('SELECT id FROM payment_refunds WHERE id = ANY($1)', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}
