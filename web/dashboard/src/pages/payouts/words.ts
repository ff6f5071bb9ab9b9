import { language } from '../../texts/language.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { counted, t } from '../../texts/t.ts';
import type { ConsolePayout, PayoutDetail, PayoutSchedule, PayoutStatus } from './queries.ts';

type Move = PayoutDetail['moves'][number];

/** What each payout is for. */
export const purposeWords: Record<ConsolePayout['purpose'], string> = {
  merchant_payout: t('Payout of the balance'),
  refund: t('Refund'),
  withdrawal: t('Withdrawal of a user'),
  fee_withdrawal: t('Fees of the operator'),
  unmatched_return: t('Returned deposit'),
  user_funding: t('Funding of a user'),
};

/** How often a schedule pays out. */
export const periodNames: Record<PayoutSchedule['every'], string> = {
  day: t('day'),
  week: t('week'),
  month: t('month'),
};

/** Where a payout is, whether money has moved, and what comes next. */
export function storyOf(payout: ConsolePayout): string {
  const { status, approvals_left: left, by_hand: byHand } = payout;
  const failure = payout.failure === null ? null : ofGateway(payout.failure);
  switch (status) {
    case 'awaiting_approval':
      return t('Waits for {left}. Nothing is sent before.', { left: waitsFor(left) });
    case 'queued':
      if (byHand?.is_used_up) return `${failure ?? t('Nothing can pay it any more')}.`;
      if (byHand?.is_exported) {
        return t('{failure}. It is complete when the network shows that it was paid.', {
          failure: failure ?? t('Waits to be paid by hand'),
        });
      }
      return failure === null
        ? t('Will be sent soon. You do not need to do anything.')
        : t('Held up: {failure}. It is sent by itself once that is over.', { failure });
    case 'sending':
      if (payout.purpose === 'user_funding') return t('Approved. The system that has the wallets is asked.');
      return t('On its way. It is complete when its transaction is final.');
    case 'completed':
      if (payout.purpose === 'user_funding') return t('Done: it is in the wallet of the user.');
      return t('Arrived: its transaction is final.');
    case 'cancelled':
      return t('Cancelled. Nothing was sent, and the money is available again.');
    case 'rejected':
      return t('Rejected: {failure}. Nothing was sent.', { failure: failure ?? t('no reason was given') });
    case 'failed':
      return t('Failed: {failure}. The money is available again.', {
        failure: failure ?? t('the network refused it'),
      });
  }
}

function waitsFor({ merchant, operator }: ConsolePayout['approvals_left']): string {
  const words = [
    merchant > 0 && counted(merchant, 'one approval', '{count} approvals'),
    operator > 0 && t('the approval of the operator'),
  ];
  return new Intl.ListFormat(language).format(words.filter((word) => word !== false)) || t('approval');
}

/** A move of a payout, as its timeline says it. */
export function moveWords({ from, to }: Move): string {
  if (from === null) return t('Ordered');
  if (from === 'completed') return t('A reorg took the transaction back');
  if (from === 'sending' && to === 'queued') return t('Back in the queue: it was not sent');
  return afterwards[to];
}

const afterwards: Record<PayoutStatus, string> = {
  awaiting_approval: t('Waits for approval'),
  queued: t('In the queue'),
  sending: t('Signed and being sent'),
  completed: t('Final'),
  cancelled: t('Cancelled'),
  rejected: t('Rejected'),
  failed: t('Failed'),
};

/** Why nobody can end it now although nothing is signed; null: they can. */
export function whyNotEnd({ by_hand: byHand }: ConsolePayout, as: 'merchant' | 'operator'): string | null {
  if (byHand === null || byHand.is_used_up) return null;
  return as === 'merchant'
    ? t('The operator has exported it to pay it by hand, so it can no longer be cancelled.')
    : t(
        'It was exported, and its file can be executed at any time, taken back or not. It can be ended once the vault has used its id up: see By hand.',
      );
}

/** Why this person cannot approve it now; null: they can. */
export function whyNotApprove(payout: ConsolePayout, as: 'merchant' | 'operator'): string | null {
  if (payout.asked_by_you) return t('You asked for it, so somebody else approves it.');
  if (payout.approved_by_you) return t('You approved it.');
  if (payout.approvals_left[as] === 0) {
    return as === 'merchant'
      ? t('Only the operator still has to approve it.')
      : t('The business still has to approve it.');
  }
  return null;
}
