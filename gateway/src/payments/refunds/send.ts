import { lockPayouts } from '../../payouts/lifecycle/locks.ts';
import { type OrderTerms, orderPayouts } from '../../payouts/lifecycle/order.ts';
import { movePayouts } from '../../payouts/lifecycle/state.ts';
import type { Changes } from '../settlement/changes.ts';
import type { Refund, RefundProof } from '../settlement/refund.ts';
import { payoutDepsOf } from '../settlement/refund-payouts.ts';

export type Destination = { to: string; memo: string | null };

/** How refunds are ordered to be sent. */
export type SendTerms = Pick<OrderTerms, 'requester' | 'isAnyAddress' | 'approval' | 'asOne' | 'ownTime'> & {
  /** Where refunds go that do not go to a wallet; null: all of them go to wallets. */
  destination: Destination | null;
  /** The customer's signature for the destination, where they gave one. */
  proof?: RefundProof | null;
};

/** In place of the address of a payout that goes to a wallet. */
const payersWallet = 'the wallet that paid';

/**
 * Orders refunds of a payment that wait for their destination to be sent, and writes all changes before, since their payouts
 * hold what is in `payable`. Those that go to wallets wait until their payouts are moved (`moveToWallets`). Refuses what
 * `orderPayouts` does.
 */
export async function sendRefunds(
  changes: Changes,
  paymentId: string,
  refunds: readonly Refund[],
  { destination, proof = null, ...terms }: SendTerms,
): Promise<Refund[]> {
  const { tx, deps } = changes;
  const { integrationId, mode } = changes.payment(paymentId);
  await changes.flush();
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
    refunds.map(({ id, asset, units, wallet, reason: description }) => {
      const where = wallet === null ? destination : { to: payersWallet, memo: null };
      if (!where) throw new Error(`Refund ${id} has no destination`);
      const what = { asset: deps.assets.get(asset), units, description, causeId: paymentId };
      const account = wallet === null ? null : ({ kind: 'user', owner: wallet } as const);
      return { ...what, ...where, wallet: account };
    }),
  );
  return refunds.map((refund, index) => {
    const payout = payouts[index];
    if (!payout) throw new Error(`Refund ${refund.id} was not ordered`);
    const { to, memo } = refund.wallet === null ? payout : nowhere;
    const { id: payoutId, status } = payout;
    const sent: Refund = { ...refund, payoutId, status, to, memo, proof, failure: null };
    changes.changeRefund(sent);
    return sent;
  });
}

const nowhere = { to: null, memo: null };

/** Moves to wallets those refunds whose payouts need no approval. Their events must be recorded before. */
export async function moveToWallets(changes: Changes, refunds: readonly Refund[]): Promise<void> {
  const { tx } = changes;
  const deps = payoutDepsOf(changes);
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
