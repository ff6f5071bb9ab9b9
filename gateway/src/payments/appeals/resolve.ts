import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { type AppealReason, type AppealRow, type AppealScope, findAppeal } from '../payment/appeal.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { Move, StateDeps } from '../payment/state.ts';
import { announceRefunds, refundAll } from '../refunds/after-appeal.ts';
import { lockPayment } from '../settlement/locks.ts';
import { bringUpToDate, movePayment } from '../settlement/moves.ts';
import { countingOf, transfersOf } from '../settlement/received.ts';
import { isSettled, settlePayment } from '../settlement/settle.ts';
import type { TransferRow } from '../settlement/transfer.ts';

/** Who decides, and as what; `note` is their reason in words. */
export type DecidedBy = { accountId: string; as: 'merchant' | 'operator'; note: string | null };

export type Decision = 'accept' | 'return' | 'reject';

/**
 * For which reasons a decision is open. Money that does not fit its payment, or what is left of it after a reorg,
 * is accepted or refunded. A dispute is rejected, or the payment refunded.
 */
export const decidable: Record<Decision, readonly AppealReason[]> = {
  accept: ['part_paid', 'late', 'paid_after_end', 'reorg'],
  return: ['part_paid', 'late', 'paid_after_end', 'reorg', 'disputed'],
  reject: ['disputed'],
};

/** What a decision is about: the appeal, its payment's transfers that count, and whether their shares are booked. */
export type Case = { appeal: AppealRow; transfers: TransferRow[]; hasShares: boolean };

type Opened = Case & { payment: Payment };

/**
 * The merchant accepts what came as the full amount: the payment is completed, with the fee on what came. Throws
 * `appeal_closed`, `appeal_decision`, `appeal_not_final` while some of the money is not final, and `appeal_empty` when
 * none has come.
 */
export async function acceptAppeal(
  tx: Tx,
  deps: StateDeps,
  scope: AppealScope,
  id: string,
  by: DecidedBy,
): Promise<Payment> {
  const { appeal, payment } = await open(tx, deps, scope, id, 'accept');
  const completed = await close(tx, deps, appeal, payment, { to: 'completed', reason: 'accepted' }, by);
  return await settlePayment(tx, deps, completed);
}

/**
 * Refunds all that came and was not refunded yet. The payment ends as failed if it had failed before, else as cancelled. When all of the money
 * has left its chain there is nothing to refund, and the payment ends as failed. Refusals as of `acceptAppeal`.
 */
export async function returnAppeal(
  tx: Tx,
  deps: StateDeps,
  scope: AppealScope,
  id: string,
  by: DecidedBy,
): Promise<Payment> {
  const { appeal, payment } = await open(tx, deps, scope, id, 'return');
  const refunds = await refundAll(tx, deps, payment);
  const to = appeal.opened_from === 'failed' || !refunds ? 'failed' : 'cancelled';
  const move: Move = { to, reason: refunds ? 'returned' : 'reorg' };
  const moved = await moveClosed(tx, deps, appeal, payment, move, by);
  await announceRefunds(tx, deps, moved, refunds ?? [], deps.now());
  return await bringUpToDate(tx, deps, await lockPayment(tx, moved.id));
}

/**
 * The operator rejects a dispute: the payment is completed again. No money moves, unless some of it has left its chain:
 * then the business receives the rest, as if it had accepted it. Refusals as of `acceptAppeal`.
 */
export async function rejectAppeal(
  tx: Tx,
  deps: StateDeps,
  scope: AppealScope,
  id: string,
  by: DecidedBy,
): Promise<Payment> {
  const { appeal, payment, hasShares } = await open(tx, deps, scope, id, 'reject');
  const move: Move = { to: 'completed', reason: 'dispute_rejected' };
  const completed = await close(tx, deps, appeal, payment, move, by);
  return hasShares ? completed : await settlePayment(tx, deps, completed);
}

/** Why a decision is not open now, as the row of its refusal; null when it is. */
export function refusalOf(decision: Decision, { appeal, transfers, hasShares }: Case) {
  if (appeal.closed_at) return paymentErrors.appeal_closed;
  if (!decidable[decision].includes(appeal.reason)) return paymentErrors.appeal_decision;
  // The payment is settled already, and stays so.
  if (decision === 'reject' && hasShares) return null;
  if (transfers.some(({ state }) => state === 'seen')) return paymentErrors.appeal_not_final;
  const isEmpty = decision !== 'return' && !transfers.some(({ state }) => state === 'final');
  return isEmpty ? paymentErrors.appeal_empty : null;
}

/** Locks the appeal's payment and refuses a decision that is not open. */
async function open(
  tx: Tx,
  deps: StateDeps,
  scope: AppealScope,
  id: string,
  decision: Decision,
): Promise<Opened> {
  const { payment_id } = await findAppeal(tx, scope, id);
  const payment = await lockPayment(tx, payment_id);
  // Read again under the lock: somebody may have decided meanwhile.
  const appeal = await findAppeal(tx, scope, id);
  const transfers = countingOf(deps.assets, payment, await transfersOf(tx, payment.id));
  const hasShares = isSettled(payment);
  const refusal = refusalOf(decision, { appeal, transfers, hasShares });
  if (refusal) throw refuse(refusal, { reason: appeal.reason });
  return { appeal, payment, transfers, hasShares };
}

async function close(
  tx: Tx,
  deps: StateDeps,
  appeal: AppealRow,
  payment: Payment,
  move: Move,
  by: DecidedBy,
): Promise<Payment> {
  return await bringUpToDate(tx, deps, await moveClosed(tx, deps, appeal, payment, move, by));
}

async function moveClosed(
  tx: Tx,
  deps: StateDeps,
  appeal: AppealRow,
  payment: Payment,
  move: Move,
  by: DecidedBy,
): Promise<Payment> {
  const moved = await movePayment(tx, deps, payment, move);
  await tx.query('UPDATE appeals SET decided_by = $2, decided_as = $3, note = $4 WHERE id = $1', [
    appeal.id,
    by.accountId,
    by.as,
    by.note,
  ]);
  return moved;
}
