import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { type AppealName, type AppealReason, type AppealRow, findAppeal } from '../payment/appeal.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { Move, StateDeps } from '../payment/state.ts';
import { announceRefunds, refundAll } from '../refunds/after-appeal.ts';
import { type Changes, openChanges } from '../settlement/changes.ts';
import { lockPayment } from '../settlement/locks.ts';
import { bringUpToDate, makeMove } from '../settlement/moves.ts';
import { countingOf } from '../settlement/received.ts';
import { isSettled, settle } from '../settlement/settle.ts';
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

/**
 * The merchant accepts what came as the full amount: the payment is completed, with the fee on what came. Throws
 * `appeal_closed`, `appeal_decision`, `appeal_not_final` while some of the money is not final, and `appeal_empty` when
 * none has come.
 */
export async function acceptAppeal(
  tx: Tx,
  deps: StateDeps,
  which: AppealName,
  by: DecidedBy,
): Promise<Payment> {
  const { changes, appeal } = await openCase(tx, deps, which, 'accept');
  await close(changes, appeal, { to: 'completed', reason: 'accepted' }, by);
  await bringUpToDate(changes, appeal.payment_id);
  await settle(changes, appeal.payment_id);
  return await written(changes, appeal);
}

/**
 * Refunds all that came and was not refunded yet. The payment ends as failed if it had failed before, else as cancelled. When
 * all of the money has left its chain there is nothing to refund, and the payment ends as failed. Refusals as of
 * `acceptAppeal`.
 */
export async function returnAppeal(
  tx: Tx,
  deps: StateDeps,
  which: AppealName,
  by: DecidedBy,
): Promise<Payment> {
  const { changes, appeal } = await openCase(tx, deps, which, 'return');
  const refunds = await refundAll(changes, appeal.payment_id);
  const to = appeal.opened_from === 'failed' || !refunds ? 'failed' : 'cancelled';
  await close(changes, appeal, { to, reason: refunds ? 'returned' : 'reorg' }, by);
  announceRefunds(changes, refunds ?? []);
  await bringUpToDate(changes, appeal.payment_id);
  return await written(changes, appeal);
}

/**
 * The operator rejects a dispute: the payment is completed again. No money moves, unless some of it has left its chain:
 * then the business receives the rest, as if it had accepted it. Refusals as of `acceptAppeal`.
 */
export async function rejectAppeal(
  tx: Tx,
  deps: StateDeps,
  which: AppealName,
  by: DecidedBy,
): Promise<Payment> {
  const { changes, appeal, hasShares } = await openCase(tx, deps, which, 'reject');
  await close(changes, appeal, { to: 'completed', reason: 'dispute_rejected' }, by);
  await bringUpToDate(changes, appeal.payment_id);
  if (!hasShares) await settle(changes, appeal.payment_id);
  return await written(changes, appeal);
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

/** Opens the appeal's payment for changes, and refuses a decision that is not open. */
async function openCase(
  tx: Tx,
  deps: StateDeps,
  which: AppealName,
  decision: Decision,
): Promise<{ changes: Changes; appeal: AppealRow; hasShares: boolean }> {
  const { payment_id } = await findAppeal(tx, which);
  const payment = await lockPayment(tx, payment_id);
  // Read again under the lock: somebody may have decided meanwhile.
  const appeal = await findAppeal(tx, which);
  const changes = await openChanges(tx, deps, [payment]);
  const transfers = countingOf(deps.assets, payment, changes.transfersOf(payment.id));
  const hasShares = isSettled(payment);
  const refusal = refusalOf(decision, { appeal, transfers, hasShares });
  if (refusal) throw refuse(refusal, { reason: appeal.reason });
  return { changes, appeal, hasShares };
}

/** Moves the payment out of its appeal, and notes who decided. */
async function close(changes: Changes, appeal: AppealRow, move: Move, by: DecidedBy): Promise<void> {
  makeMove(changes, appeal.payment_id, move);
  await changes.tx.query('UPDATE appeals SET decided_by = $2, decided_as = $3, note = $4 WHERE id = $1', [
    ...[appeal.id, by.accountId, by.as, by.note],
  ]);
}

async function written(changes: Changes, { payment_id }: AppealRow): Promise<Payment> {
  await changes.flush();
  return changes.payment(payment_id);
}
