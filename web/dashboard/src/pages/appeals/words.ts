import { groupDigits, readAsset } from '../../format/amount.ts';
import type { Appeal, AppealSummary, AssetAmount, Author } from './queries.ts';
import type { AppealReason } from './search.ts';

/** Why a payment is in appeal, in two words. */
export const reasonWords: Record<AppealReason, string> = {
  part_paid: 'Part paid',
  late: 'Paid late',
  paid_after_end: 'Paid after it ended',
  disputed: 'Disputed',
  reorg: 'Left its chain',
};

export const decisionWords: Record<NonNullable<AppealSummary['decision']>, string> = {
  accepted: 'Accepted',
  dispute_rejected: 'Dispute rejected',
  returned: 'Refunded',
  reorg: 'Nothing left to refund',
  covered_again: 'Covered again',
};

/** Amounts of several assets as part of a sentence: `9.9 USDC on Ethereum and 0.1 USDC on Base`. */
export function amountsText(amounts: AssetAmount[]): string {
  const parts = amounts.map(
    ({ asset, network, amount }) => `${groupDigits(amount)} ${readAsset(asset).currency} on ${network}`,
  );
  return new Intl.ListFormat('en').format(parts);
}

/** What happened, as sentences. */
export function storyOf(appeal: Appeal): string[] {
  const sum = (amount: string): string => `${groupDigits(amount)} ${appeal.currency}`;
  const received = sum(appeal.amount_received);
  const due = sum(appeal.amount_due);
  switch (appeal.reason) {
    case 'part_paid':
      return [`Less than the ${due} due was paid by the deadline.`, `${received} has been received so far.`];
    case 'late':
      return [
        'The deadline passed with nothing paid.',
        `${received} of ${due} arrived after it, but the full amount did not arrive in time.`,
      ];
    case 'paid_after_end':
      return [
        `The payment had ${appeal.opened_from === 'failed' ? 'failed' : 'been cancelled'}.`,
        `Money arrived after that: ${received} in all. ${due} was due.`,
      ];
    case 'disputed':
      return ['The payment was completed.', 'Then the customer reported a problem.'];
    case 'reorg':
      return [
        'The payment was completed.',
        `Then a transfer that had been booked left its chain, and its booking was reversed. ${received} of ${due} is left.`,
      ];
  }
}

export function authorName({ author, name }: { author: Author; name?: string | null }): string {
  if (author === 'customer') return 'Customer';
  const team = author === 'operator' ? 'Operator' : 'Business';
  return name ? `${name} · ${team}` : team;
}
