import type { ConsolePayout, PayoutDetail, PayoutStatus } from './queries.ts';

type Move = PayoutDetail['moves'][number];

/** What each payout is for. */
export const purposeWords: Record<ConsolePayout['purpose'], string> = {
  merchant_payout: 'Payout of the balance',
  refund: 'Refund',
  withdrawal: 'Withdrawal of a user',
  fee_withdrawal: 'Fees of the operator',
  unmatched_return: 'Returned deposit',
};

/** Where a payout is, whether money has moved, and what comes next. */
export function storyOf(payout: ConsolePayout): string {
  const { status, approvals_left: left, failure, by_hand: byHand } = payout;
  switch (status) {
    case 'awaiting_approval':
      return `Waits for ${waitsFor(left)}. Nothing is sent before.`;
    case 'queued':
      if (byHand?.is_used_up) return `${failure ?? 'Nothing can pay it any more'}.`;
      if (byHand?.is_exported) {
        return `${failure ?? 'Waits to be paid by hand'}. It is complete when the network shows that it was paid.`;
      }
      return failure === null
        ? 'Will be sent soon. You do not need to do anything.'
        : `Held up: ${failure}. It is sent by itself once that is over.`;
    case 'sending':
      return 'On its way. It is complete when its transaction is final.';
    case 'completed':
      return 'Arrived: its transaction is final.';
    case 'cancelled':
      return 'Cancelled. Nothing was sent, and the money is available again.';
    case 'rejected':
      return `Rejected: ${failure ?? 'no reason was given'}. Nothing was sent.`;
    case 'failed':
      return `Failed: ${failure ?? 'the network refused it'}. The money is available again.`;
  }
}

function waitsFor({ merchant, operator }: ConsolePayout['approvals_left']): string {
  const words = [
    merchant > 0 && (merchant === 1 ? 'one approval' : `${merchant} approvals`),
    operator > 0 && 'the approval of the operator',
  ];
  return words.filter(Boolean).join(' and ') || 'approval';
}

/** A move of a payout, as its timeline says it. */
export function moveWords({ from, to }: Move): string {
  if (from === null) return 'Ordered';
  if (from === 'completed') return 'A reorg took the transaction back';
  if (from === 'sending' && to === 'queued') return 'Back in the queue: it was not sent';
  return afterwards[to];
}

const afterwards: Record<PayoutStatus, string> = {
  awaiting_approval: 'Waits for approval',
  queued: 'In the queue',
  sending: 'Signed and being sent',
  completed: 'Final',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  failed: 'Failed',
};

/** Why nobody can end it now although nothing is signed; null: they can. */
export function whyNotEnd({ by_hand: byHand }: ConsolePayout, as: 'merchant' | 'operator'): string | null {
  if (byHand === null || byHand.is_used_up) return null;
  return as === 'merchant'
    ? 'The operator has exported it to pay it by hand, so it can no longer be cancelled.'
    : 'It was exported, and its file can be executed at any time, taken back or not. It can be ended once the vault has used its id up: see By hand.';
}

/** Why this person cannot approve it now; null: they can. */
export function whyNotApprove(payout: ConsolePayout, as: 'merchant' | 'operator'): string | null {
  if (payout.asked_by_you) return 'You asked for it, so somebody else approves it.';
  if (payout.approved_by_you) return 'You approved it.';
  if (payout.approvals_left[as] === 0) {
    return as === 'merchant'
      ? 'Only the operator still has to approve it.'
      : 'The business still has to approve it.';
  }
  return null;
}
