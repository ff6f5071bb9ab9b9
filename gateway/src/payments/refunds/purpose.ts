import { afterCommit, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Moved, Purpose } from '../../payouts/purposes.ts';
import { lockMoney, lockPayments } from '../locks.ts';
import { type PaymentRow, paymentOf } from '../payment-row.ts';
import { carriedRefund, type Refund, refundsOfPayouts } from '../refund.ts';
import { announceRefunded, recordRefundEvent } from '../refund-events.ts';
import { endUnsent } from '../refund-money.ts';
import type { StateDeps } from '../state.ts';
import { refundLate } from './late.ts';
import { noteChange, waitAgain } from './wait-again.ts';

type Deps = Pick<StateDeps, 'hints' | 'assets'>;

/** What becomes of refunds when the payouts that carry them move. */
export function createRefundPurpose(deps: Deps): Purpose {
  return {
    cause: 'refund_sent',
    async paymentReferences(reader, paymentIds) {
      const { rows } = await reader.query<Pick<PaymentRow, 'id' | 'reference'>>(
        'SELECT id, reference FROM payments WHERE id = ANY ($1)',
        [paymentIds],
      );
      return new Map(rows.map(({ id, reference }) => [id, reference]));
    },
    carried: { right: 'make refunds', find: carriedRefund },
    async lockCauses(tx, paymentIds) {
      const payments = await lockPayments(tx, paymentIds);
      await lockMoney(
        tx,
        payments.map((payment) => ({ payment })),
      );
    },
    late: (tx, moved, now) => refundLate(tx, deps, moved, now),
    async moved(tx, moved, now) {
      const refunds = await refundsOfPayouts(
        tx,
        moved.map(({ payout }) => payout.id),
      );
      for (const { payout } of moved) {
        const refund = refunds.get(payout.id);
        if (!refund) throw new Error(`Payout ${payout.id} carries no refund`);
        await carryOn(tx, deps, refund, payout, now);
        afterCommit(tx, () => deps.hints.send('payment', refund.paymentId));
      }
    },
  };
}

async function carryOn(
  tx: Tx,
  deps: Deps,
  refund: Refund,
  { status, transaction, failure }: Moved['payout'],
  now: Date,
): Promise<void> {
  const payment = { id: refund.paymentId };
  if (status === 'failed' || status === 'rejected' || (status === 'cancelled' && refund.isOwed)) {
    await waitAgain(tx, refund, status === 'rejected' ? (failure ?? 'It was rejected') : failure);
    if (status === 'cancelled') return await noteChange(tx, refund);
    await recordRefundEvent(tx, deps, payment, refund, 'refund_failed', now);
    return;
  }
  if (status === 'cancelled') {
    const locked = await tx.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [refund.paymentId]);
    await endUnsent(tx, deps, paymentOf(oneRow(locked, 'payment of a refund')), refund, null, now);
    return await noteChange(tx, refund);
  }
  await tx.query(
    `UPDATE payment_refunds SET status = $2, transaction = coalesce($3, transaction),
       completed_at = CASE WHEN $2 = 'completed' THEN coalesce(completed_at, $4) ELSE completed_at END
     WHERE id = $1`,
    [refund.id, status, transaction, now],
  );
  await noteChange(tx, refund);
  if (status === 'completed') await announceRefunded(tx, deps, payment, refund, now);
}
