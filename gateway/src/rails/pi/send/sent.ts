import type { Tx } from '../../../kit/db/db.ts';

/**
 * The order that a transaction on the network carries out, which is settled by this call; null: the transaction is none
 * of ours. To be called in the transaction that reports what left the account. Called again, it returns the same.
 */
export async function sendOf(tx: Tx, hash: string, at: Date): Promise<string | null> {
  const { rows } = await tx.query<{ send_id: string }>(
    `UPDATE pi_envelopes SET state = 'applied', ended_at = coalesce(ended_at, $2) WHERE hash = $1
     RETURNING send_id`,
    [hash, at],
  );
  const id = rows[0]?.send_id;
  if (id === undefined) return null;
  // Also one that failed or was cancelled: the money left anyway, and its payout books that to its owner.
  await tx.query(
    `UPDATE pi_sends SET state = 'settled', fault = NULL, ended_at = coalesce(ended_at, $2) WHERE id = $1`,
    [id, at],
  );
  return id;
}
