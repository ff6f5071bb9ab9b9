import type { Reader } from '../../kit/db/db.ts';

/** A payment for which more came than was due. */
export type OverpaidPayment = {
  id: string;
  reference: string;
  integration_id: string;
  integration_name: string;
  customer_email: string | null;
  completed_at: Date;
};

/** Live payments that were overpaid, newest first; the ledger then says what of that is still owed. */
export async function overpaidPayments(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<OverpaidPayment[]> {
  const { rows } = await reader.query<OverpaidPayment>(
    `SELECT p.id, p.reference, p.integration_id, i.name AS integration_name, p.customer_email, p.completed_at
     FROM payments p JOIN integrations i ON i.id = p.integration_id
     WHERE p.is_overpaid AND p.mode = 'live' AND p.status IN ('completed', 'in-appeal') AND p.completed_at IS NOT NULL
       AND ($1::uuid IS NULL OR p.id < $1)
     ORDER BY p.id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}
