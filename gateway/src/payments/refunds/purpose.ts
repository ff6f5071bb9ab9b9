import type { Tx } from '../../kit/db/db.ts';
import type { AccountRef } from '../../ledger/ledger.ts';
import type { Purpose } from '../../payouts/payout/purposes.ts';
import type { Payment } from '../payment/payment.ts';
import type { PaymentRow } from '../payment/payment-row.ts';
import { type ChangeDeps, changePayments } from '../settlement/changes.ts';
import { lockMoney, lockPayments } from '../settlement/locks.ts';
import { carriedRefund } from '../settlement/refund.ts';
import { followPayouts } from '../settlement/refund-payouts.ts';
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
      const payments = await lockPayments(tx, paymentIds);
      await lockMoney(
        tx,
        payments.map((payment) => ({ payment })),
        await walletsOf(tx, payments),
      );
    },
    late: (tx, moved) => refundLate(tx, deps, moved),
    async moved(tx, moved) {
      const ids = new Set(moved.flatMap(({ payout: { causeId } }) => causeId ?? []));
      await changePayments(tx, deps, [...ids], (changes) => followPayouts(changes, moved));
    },
  };
}

/** The accounts of the users to whose wallets refunds of these payments wait to go, with what they owe. */
async function walletsOf(tx: Tx, payments: readonly Payment[]): Promise<AccountRef[]> {
  const { rows } = await tx.query<{ owner: string; mode: Payment['mode']; asset: string }>(
    `SELECT DISTINCT r.wallet AS owner, p.mode, r.asset FROM payment_refunds r JOIN payments p ON p.id = r.payment_id
     WHERE p.id = ANY ($1) AND r.wallet IS NOT NULL AND r.status = 'awaiting_approval'`,
    [payments.map(({ id }) => id)],
  );
  return rows.flatMap((each) => (['user', 'receivable'] as const).map((kind) => ({ ...each, kind })));
}
