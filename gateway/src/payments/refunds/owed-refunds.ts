import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';

/** A refund that its customer has not got yet, with where its money came from; `units` are at its asset's scale. */
export type OwedRefund = {
  id: string;
  payment_id: string;
  reference: string;
  mode: Mode;
  integration_id: string;
  integration_name: string;
  customer_email: string | null;
  asset: string;
  units: bigint;
  rail: string;
  transaction: string;
  /** The address that the money came from: an exchange's is not its customer's. */
  sender: string | null;
  created_at: Date;
  /** `requested`: it waits for where to go; `sending`: a payout carries it. */
  state: 'requested' | 'sending';
  /** Where it was ordered to go. */
  destination: string | null;
  memo: string | null;
  /** Why the last payout failed. */
  fault: string | null;
};

/** The live refunds that are owed to customers until they are sent, newest first. */
export async function owedRefunds(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<OwedRefund[]> {
  const { rows } = await reader.query<OwedRefund>(
    `SELECT r.id, p.id AS payment_id, p.reference, p.mode, p.integration_id, i.name AS integration_name,
       p.customer_email, r.asset, r.units, t.rail, t.transaction, t.sender, r.created_at,
       CASE r.status WHEN 'awaiting_destination' THEN 'requested' ELSE 'sending' END AS state,
       r.destination, r.memo, r.failure AS fault
     FROM payment_refunds r
     JOIN payments p ON p.id = r.payment_id
     JOIN integrations i ON i.id = p.integration_id
     CROSS JOIN LATERAL (
       SELECT rail, transaction, sender FROM payment_transfers
       WHERE payment_id = p.id AND asset = r.asset ORDER BY final_at DESC NULLS LAST, key LIMIT 1
     ) t
     WHERE r.status IN ('awaiting_destination', 'awaiting_approval', 'queued', 'sending') AND p.mode = 'live'
       AND ($1::uuid IS NULL OR r.id < $1)
     ORDER BY r.id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}
