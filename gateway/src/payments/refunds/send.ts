import type { Tx } from '../../kit/db/db.ts';
import { type OrderTerms, orderPayouts } from '../../payouts/order.ts';
import type { Payment } from '../payment.ts';
import { businessShare, type Refund } from '../refund.ts';
import type { StateDeps } from '../state.ts';
import type { Proof } from './proof.ts';

export type Destination = { to: string; memo: string | null };

/** How a refund is ordered to be sent. */
export type SendTerms = Pick<OrderTerms, 'requester' | 'isAnyAddress' | 'approval' | 'ownTime'> & {
  destination: Destination;
  /** That its customer chose the destination, where they signed that. */
  proof?: Proof | null;
};

/** Orders a refund that waits for its destination to be sent; refuses what `orderPayouts` does. */
export async function sendRefund(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  refund: Refund,
  { destination: { to, memo }, proof = null, ...terms }: SendTerms,
): Promise<Refund> {
  const { integrationId, mode } = payment;
  const { id: by, asset, units, parts, reason: description } = refund;
  const inKeyLimits = { by, units: businessShare(parts) };
  const [payout] = await orderPayouts(
    tx,
    deps,
    {
      ...terms,
      owner: { integrationId, mode },
      mode,
      purpose: 'refund',
      debit: { kind: 'payable', owner: integrationId },
      isCharged: false,
    },
    [
      {
        ...{ asset: deps.assets.get(asset), units, to, memo, description },
        causeId: payment.id,
        inKeyLimits,
      },
    ],
  );
  if (!payout) throw new Error(`Refund ${refund.id} was not ordered`);
  const status = payout.status;
  await tx.query(
    `UPDATE payment_refunds SET payout_id = $2, status = $3, destination = $4, memo = $5, failure = NULL,
       proved_by = $6, proof_statement = $7, proof_signature = $8
     WHERE id = $1`,
    [refund.id, payout.id, status, to, memo, proof?.provedBy, proof?.statement, proof?.signature],
  );
  const provedBy = proof?.provedBy ?? null;
  return { ...refund, payoutId: payout.id, status, to, memo, provedBy, failure: null };
}
