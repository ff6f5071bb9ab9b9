import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { paymentErrors } from './errors.ts';

/** What a customer says: the transaction with which they paid, or why they dispute the payment. */
export type Claim = { at: Date; kind: 'paid' | 'dispute'; content: string };

/** More of them do not help to find the money, and all are shown with the payment. */
const mostClaims = 20;

/** The claims about a payment, oldest first; there are never many. */
export async function claimsOf(reader: Reader, paymentId: string): Promise<Claim[]> {
  const { rows } = await reader.query<Claim>(
    'SELECT created_at AS at, kind, content FROM payment_claims WHERE payment_id = $1 ORDER BY created_at, id',
    [paymentId],
  );
  return rows;
}

/** Notes a claim about a payment that is locked; the same one once more changes nothing. Throws `too_many_claims`. */
export async function noteClaim(tx: Tx, paymentId: string, { at, kind, content }: Claim): Promise<void> {
  const found = await tx.query<{ count: number; is_known: boolean }>(
    `SELECT count(*)::int AS count, coalesce(bool_or(content = $3), false) AS is_known
     FROM payment_claims WHERE payment_id = $1 AND kind = $2`,
    [paymentId, kind, content],
  );
  const { count, is_known } = oneRow(found, 'claims of a payment');
  if (is_known) return;
  if (count >= mostClaims) throw refuse(paymentErrors.too_many_claims, { most: `${mostClaims}` });
  await tx.query(
    'INSERT INTO payment_claims (id, payment_id, kind, content, created_at) VALUES ($1, $2, $3, $4, $5)',
    [newId(at), paymentId, kind, content, at],
  );
}
