import type { Tx } from '../../kit/db/db.ts';
import { lockPayouts } from '../../payouts/lifecycle/locks.ts';
import { type OrderTerms, orderPayouts } from '../../payouts/lifecycle/order.ts';
import { movePayouts } from '../../payouts/lifecycle/state.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { businessShare, type Refund } from '../settlement/refund.ts';
import type { Proof } from './proof.ts';

export type Destination = { to: string; memo: string | null };

/** How refunds are ordered to be sent. */
export type SendTerms = Pick<OrderTerms, 'requester' | 'isAnyAddress' | 'approval' | 'asOne' | 'ownTime'> & {
  /** Of what does not go to a wallet; null: all of it does. */
  destination: Destination | null;
  /** That its customer chose the destination, where they signed that. */
  proof?: Proof | null;
};

/** In place of the address of a payout that goes to a wallet. */
const payersWallet = 'the wallet that paid';

/** Orders a refund that waits for its destination to be sent; refuses what `orderPayouts` does. */
export async function sendRefund(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  refund: Refund,
  terms: SendTerms,
): Promise<Refund> {
  const [sent] = await sendRefunds(tx, deps, payment, [refund], terms);
  if (!sent) throw new Error(`Refund ${refund.id} was not ordered`);
  return sent;
}

/** The same of several. Those that go to wallets wait until their payouts are moved (`moveToWallets`). */
export async function sendRefunds(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  refunds: readonly Refund[],
  { destination, proof = null, ...terms }: SendTerms,
): Promise<Refund[]> {
  const { integrationId, mode } = payment;
  const payouts = await orderPayouts(
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
    refunds.map(({ id: by, asset, units, parts, wallet, reason: description }) => {
      const where = wallet === null ? destination : { to: payersWallet, memo: null };
      if (!where) throw new Error(`Refund ${by} has no destination`);
      const inKeyLimits = { by, units: businessShare(parts) };
      const what = { asset: deps.assets.get(asset), units, description, causeId: payment.id };
      const account = wallet === null ? null : ({ kind: 'user', owner: wallet } as const);
      return { ...what, ...where, wallet: account, inKeyLimits };
    }),
  );
  const sent: Refund[] = [];
  for (const [index, refund] of refunds.entries()) {
    const payout = payouts[index];
    if (!payout) throw new Error(`Refund ${refund.id} was not ordered`);
    const { to, memo } = refund.wallet === null ? payout : nowhere;
    const { status } = payout;
    await tx.query(
      `UPDATE payment_refunds SET payout_id = $2, status = $3, destination = $4, memo = $5, failure = NULL,
         proved_by = $6, proof_statement = $7, proof_signature = $8
       WHERE id = $1`,
      [refund.id, payout.id, status, to, memo, proof?.provedBy, proof?.statement, proof?.signature],
    );
    const provedBy = proof?.provedBy ?? null;
    sent.push({ ...refund, payoutId: payout.id, status, to, memo, provedBy, failure: null });
  }
  return sent;
}

const nowhere = { to: null, memo: null };

/** Lets go to wallets what needs no approval, or waits with what needs none; the caller has recorded its events before. */
export async function moveToWallets(tx: Tx, deps: StateDeps, refunds: readonly Refund[]): Promise<void> {
  const ids = refunds.flatMap(({ wallet, payoutId }) => (wallet === null ? [] : (payoutId ?? [])));
  const free = (await lockPayouts(tx, deps, ids)).filter(
    ({ approvalsNeeded, operatorApprovalsNeeded }) => approvalsNeeded + operatorApprovalsNeeded === 0,
  );
  await movePayouts(
    tx,
    deps,
    free.map((payout) => ({ payout, to: 'queued' })),
  );
}
