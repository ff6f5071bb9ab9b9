import type { Tx } from '../../kit/db/db.ts';
import type { Refund } from '../settlement/refund.ts';

/** It is owed as before: the customer, or the merchant, says again where it goes. */
export async function waitAgain(tx: Tx, { id }: Refund, why: string | null): Promise<void> {
  await tx.query(
    `UPDATE payment_refunds SET status = 'awaiting_destination', payout_id = NULL, destination = NULL, memo = NULL,
       proved_by = NULL, proof_statement = NULL, proof_signature = NULL, failure = $2
     WHERE id = $1`,
    [id, why],
  );
}

/** A page that shows its payment reads it again. */
export async function noteChange(tx: Tx, { paymentId }: Refund): Promise<void> {
  await tx.query('UPDATE payments SET version = version + 1 WHERE id = $1', [paymentId]);
}
