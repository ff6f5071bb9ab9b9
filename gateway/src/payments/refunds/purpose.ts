import type { AccountRef } from '../../ledger/ledger.ts';
import type { Purpose } from '../../payouts/payout/purposes.ts';
import type { PaymentRow } from '../payment/payment-row.ts';
import { type ChangeDeps, type Changes, changePayments, lockForChanges } from '../settlement/changes.ts';
import { followPayouts } from '../settlement/refund-payouts.ts';
import { carriedRefund } from '../settlement/refund-rows.ts';
import { refundLate } from './late.ts';

/** What becomes of refunds when the payouts that carry them move. */
export function createRefundPurpose(deps: ChangeDeps): Purpose {
  return {
    cause: 'refund_sent',
    async paymentReferences(reader, paymentIds) {
      const { rows } = await reader.query<Pick<PaymentRow, 'id' | 'reference'>>(
        'SELECT id, reference FROM payments WHERE id = ANY ($1)',
        [paymentIds],
      );
      return new Map(rows.map(({ id, reference }) => [id, reference]));
    },
    right: 'make refunds',
    findCarried: carriedRefund,
    async lockCauses(tx, paymentIds) {
      const changes = await lockForChanges(tx, deps, paymentIds);
      const users = paymentIds.flatMap((id) => walletsOf(changes, id));
      await changes.lockMoney(new Map(paymentIds.map((id) => [id, []])), users);
    },
    late: (tx, moved) => refundLate(tx, deps, moved),
    async moved(tx, moved) {
      const ids = new Set(moved.flatMap(({ payout: { causeId } }) => causeId ?? []));
      await changePayments(tx, deps, [...ids], (changes) => followPayouts(changes, moved));
    },
  };
}

/** The accounts of the users to whose wallets refunds of a payment wait to go, with what they owe. */
function walletsOf(changes: Changes<ChangeDeps>, paymentId: string): AccountRef[] {
  const { mode } = changes.payment(paymentId);
  return changes.refundsOf(paymentId).flatMap(({ wallet: owner, status, asset }) => {
    if (owner === null || status !== 'awaiting_approval') return [];
    return (['user', 'receivable'] as const).map((kind) => ({ kind, owner, mode, asset }));
  });
}
