import type { Reader, Tx } from '../../kit/db/db.ts';
import { comparable } from '../../payouts/addresses.ts';
import { type OrderTerms, orderPayouts } from '../../payouts/order.ts';
import type { Payment } from '../payment.ts';
import { transfersOf } from '../received.ts';
import type { Refund } from '../refund.ts';
import type { StateDeps } from '../state.ts';

export type Destination = { to: string; memo: string | null };

/** How a refund is ordered to be sent. */
export type SendTerms = Pick<OrderTerms, 'requester' | 'isAnyAddress' | 'approval' | 'ownTime'> & {
  destination: Destination;
};

/** Orders a refund that waits for its destination to be sent; refuses what `orderPayouts` does. */
export async function sendRefund(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  refund: Refund,
  { destination: { to, memo }, ...terms }: SendTerms,
): Promise<Refund> {
  const { integrationId, mode } = payment;
  const { asset, units, reason: description } = refund;
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
    [{ asset: deps.assets.get(asset), units, to, memo, description, causeId: payment.id }],
  );
  if (!payout) throw new Error(`Refund ${refund.id} was not ordered`);
  const status = payout.status;
  await tx.query(
    `UPDATE payment_refunds SET payout_id = $2, status = $3, destination = $4, memo = $5, failure = NULL WHERE id = $1`,
    [refund.id, payout.id, status, to, memo],
  );
  return { ...refund, payoutId: payout.id, status, to, memo, failure: null };
}

/** Whether final money of the payment came from this address, in the asset. */
export async function isSender(
  reader: Reader,
  payment: { id: string },
  asset: string,
  address: string,
): Promise<boolean> {
  const wanted = comparable(address);
  return (await transfersOf(reader, payment.id)).some(
    ({ sender, asset: code, state }) =>
      sender !== null && code === asset && state === 'final' && comparable(sender) === wanted,
  );
}
