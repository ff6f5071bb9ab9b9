import type { Reader } from '../../kit/db/db.ts';
import { transferIs } from '../payment/transfer-lookup.ts';
import type { UnmatchedRow } from './assign.ts';

// A customer who forgot the memo names the transaction on the payment's page, and then sends any further amount from
// the same account with the memo. That shows who owns the account, but not for an account that many people send from,
// as an exchange's is. So a proof assigns nothing: it is shown beside the claim, and an operator decides.

/** A final transfer with a payment's own memo, from the account that an unmatched deposit came from. */
export type Proof = {
  transaction: string;
  asset: string;
  /** At the asset's own scale. */
  units: bigint;
  /** When its chain took it. */
  at: Date;
  /** Payments of other customers that were paid from this account, and its other deposits without a payment. */
  other_payments: number;
  other_deposits: number;
};

/** True where payment `payment` has a proof for the unmatched deposit of this rail and sender; all three are SQL. */
export function isProvedSql(payment: string, rail: string, sender: string): string {
  return `EXISTS (SELECT FROM (${transfersSql}) t
    WHERE t.payment_id = ${payment} AND t.rail = ${rail} AND t.sender = ${sender})`;
}

// A deposit that an operator assigned to the payment came without its memo, and is no proof.
const transfersSql = `
SELECT * FROM payment_transfers f
WHERE f.state = 'final' AND NOT EXISTS (SELECT FROM unmatched_deposits o WHERE o.rail = f.rail AND o.key = f.key)`;

// Customers are the same where their customer_reference or customer_email is the same.
const proofsSql = `
SELECT t.payment_id, t.transaction, t.asset, t.units, t.seen_at AS at,
  (SELECT count(DISTINCT q.id)::int FROM payment_transfers o JOIN payments q ON q.id = o.payment_id
   WHERE ${transferIs('o', 'sender', 'ARRAY[t.sender]')} AND o.rail = t.rail AND o.state <> 'gone' AND q.id <> p.id
     AND (q.integration_id = p.integration_id AND (q.customer_reference = p.customer_reference
       OR lower(q.customer_email) = lower(p.customer_email))) IS NOT TRUE) AS other_payments,
  (SELECT count(*)::int FROM unmatched_deposits o
   WHERE o.sender = t.sender AND o.rail = t.rail AND o.ledger_id <> $4) AS other_deposits
FROM (
  SELECT DISTINCT ON (f.payment_id) * FROM (${transfersSql}) f
  WHERE f.payment_id = ANY ($1) AND f.rail = $2 AND f.sender = $3
  ORDER BY f.payment_id, f.seen_at, f.key
) t JOIN payments p ON p.id = t.payment_id`;

/** The first proof that each of these payments has for an unmatched deposit, by the payment's id. */
export async function proofsOf(
  reader: Reader,
  paymentIds: readonly string[],
  { rail, sender, ledger_id }: Pick<UnmatchedRow, 'rail' | 'sender' | 'ledger_id'>,
): Promise<ReadonlyMap<string, Proof>> {
  if (sender === null || paymentIds.length === 0) return new Map();
  const { rows } = await reader.query<Proof & { payment_id: string }>(proofsSql, [
    paymentIds,
    rail,
    sender,
    ledger_id,
  ]);
  return new Map(rows.map(({ payment_id, ...proof }) => [payment_id, proof]));
}
