import { afterCommit, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { AccountRef } from '../../ledger/ledger.ts';
import { repayReceivable } from '../../ledger/receivable.ts';
import type { Moved, Purpose } from '../../payouts/payout/purposes.ts';
import type { Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockMoney, lockPayments } from '../settlement/locks.ts';
import { carriedRefund, type Refund, refundsOf, refundsOfPayouts } from '../settlement/refund.ts';
import { announceRefunded, recordRefundEvent } from '../settlement/refund-events.ts';
import { endUnsent } from '../settlement/refund-money.ts';
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
      await carryOnRest(tx, deps, moved, now);
    },
  };
}

async function carryOn(
  tx: Tx,
  deps: Deps,
  refund: Refund,
  payout: Moved['payout'],
  now: Date,
): Promise<void> {
  const { status, transaction, failure } = payout;
  const payment = { id: refund.paymentId };
  // Nobody could claim what goes to a wallet, and what waits as one ends as one.
  const isOver = refund.wallet !== null || payout.together !== null;
  if (status === 'rejected' && isOver) return await endRejected(tx, deps, refund, failure, now);
  if (status === 'failed' || status === 'rejected' || (status === 'cancelled' && refund.isOwed)) {
    await waitAgain(tx, refund, status === 'rejected' ? (failure ?? 'It was rejected') : failure);
    if (status === 'cancelled') return await noteChange(tx, refund);
    await recordRefundEvent(tx, deps, payment, refund, 'refund_failed', now);
    return;
  }
  if (status === 'cancelled') {
    await endUnsent(tx, deps, await paymentWith(tx, refund), refund, null, now);
    return await noteChange(tx, refund);
  }
  await tx.query(
    `UPDATE payment_refunds SET status = $2, transaction = coalesce($3, transaction),
       completed_at = CASE WHEN $2 = 'completed' THEN coalesce(completed_at, $4) ELSE completed_at END
     WHERE id = $1`,
    [refund.id, status, transaction, now],
  );
  await noteChange(tx, refund);
  if (status !== 'completed') return;
  const { wallet: owner, asset } = refund;
  if (owner !== null)
    await repayReceivable(tx, { owner, mode: payout.mode, assets: [asset], causeId: payment.id }, now);
  await announceRefunded(tx, deps, payment, refund, now);
}

/** What waits as one with these payouts, and is left to the customer: they are asked now, or it ends with the others. */
async function carryOnRest(tx: Tx, deps: Deps, moved: readonly Moved[], now: Date): Promise<void> {
  const ends = new Map(moved.map(({ payout }) => [payout.together, payout]));
  for (const [together, { causeId, status, failure }] of ends) {
    if (together === null || causeId === null) continue;
    const rest = (await refundsOf(tx, causeId)).find(
      (each) => each.together === together && each.payoutId === null && each.status === 'awaiting_approval',
    );
    if (!rest) continue;
    if (status === 'rejected') await endRejected(tx, deps, rest, failure, now);
    if (status === 'cancelled') await endUnsent(tx, deps, await paymentWith(tx, rest), rest, null, now);
    if (status === 'queued') await waitAgain(tx, rest, null);
    await noteChange(tx, rest);
  }
}

async function endRejected(tx: Tx, deps: Deps, refund: Refund, why: string | null, now: Date): Promise<void> {
  await endUnsent(tx, deps, await paymentWith(tx, refund), refund, why, now);
  await recordRefundEvent(tx, deps, { id: refund.paymentId }, refund, 'refund_failed', now);
}

async function paymentWith(tx: Tx, { paymentId }: Refund): Promise<Payment> {
  const locked = await tx.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [paymentId]);
  return paymentOf(oneRow(locked, 'payment of a refund'));
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
