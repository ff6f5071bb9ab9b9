import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';

/** A refund that an operator has to send, with where it came from; `units` are at its asset's scale. */
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
  /** `sending`: its rail has the order; it was not seen to leave yet. */
  state: 'requested' | 'sending';
  /** Where an operator last ordered it to be sent. */
  destination: string | null;
  memo: string | null;
  /** Why that failed. */
  fault: string | null;
};

/** The refunds that are owed to customers until they are sent, newest first. */
export async function owedRefunds(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<OwedRefund[]> {
  const { rows } = await reader.query<OwedRefund>(
    `SELECT r.id, p.id AS payment_id, p.reference, p.mode, p.integration_id, i.name AS integration_name,
       p.customer_email, r.asset, r.units, r.rail, t.transaction, t.sender, r.created_at,
       r.state, r.destination, r.memo, r.fault
     FROM payment_refunds r
     JOIN payment_transfers t ON t.rail = r.rail AND t.key = r.key
     JOIN payments p ON p.id = r.payment_id
     JOIN integrations i ON i.id = p.integration_id
     WHERE r.state IN ('requested', 'sending') AND ($1::uuid IS NULL OR r.id < $1)
     ORDER BY r.id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}
