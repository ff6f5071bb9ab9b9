import { amountText, readAsset } from '../../format/amount.ts';
import { language } from '../../texts/language.ts';
import { t } from '../../texts/t.ts';
import type { Appeal, AppealSummary, AssetAmount, Author } from './queries.ts';
import type { AppealReason } from './search.ts';

/** Why a payment is in appeal, in two words. */
export const reasonWords: Record<AppealReason, string> = {
  part_paid: t('Part paid'),
  late: t('Paid late'),
  paid_after_end: t('Paid after it ended'),
  disputed: t('Disputed'),
  reorg: t('Left its chain'),
};

export const decisionWords: Record<NonNullable<AppealSummary['decision']>, string> = {
  accepted: t('Accepted'),
  dispute_rejected: t('Appeal rejected'),
  returned: t('Refunded'),
  reorg: t('Nothing left to refund'),
  covered_again: t('Covered again'),
};

/** Amounts of several assets as part of a sentence: `9.9 USDC on Ethereum and 0.1 USDC on Base`. */
export function amountsText(amounts: AssetAmount[]): string {
  const parts = amounts.map(({ asset, network, amount }) =>
    t('{amount} {currency} on {network}', {
      amount: amountText(amount),
      currency: readAsset(asset).currency,
      network,
    }),
  );
  return new Intl.ListFormat(language).format(parts);
}

/** What happened, as sentences. */
export function storyOf(appeal: Appeal): string[] {
  const sum = (amount: string): string => `${amountText(amount)} ${appeal.currency}`;
  const received = sum(appeal.amount_received);
  const due = sum(appeal.amount_due);
  switch (appeal.reason) {
    case 'part_paid':
      return [
        t('Less than the {due} due was paid by the deadline.', { due }),
        t('{received} has been received so far.', { received }),
      ];
    case 'late':
      return [
        t('The deadline passed with nothing paid.'),
        t('{received} of {due} arrived after it, but the full amount did not arrive in time.', {
          received,
          due,
        }),
      ];
    case 'paid_after_end':
      return [
        appeal.opened_from === 'failed' ? t('The payment had failed.') : t('The payment had been cancelled.'),
        t('Money arrived after that: {received} in all. {due} was due.', { received, due }),
      ];
    case 'disputed':
      return [t('The payment was completed.'), t('Then the customer reported a problem.')];
    case 'reorg':
      return [
        t('The payment was completed.'),
        t(
          'Then a transfer that had been booked left its chain, and its booking was reversed. {received} of {due} is left.',
          { received, due },
        ),
      ];
  }
}

export function authorName({ author, name }: { author: Author; name?: string | null }): string {
  if (author === 'customer') return t('Customer');
  const team = author === 'operator' ? t('Operator') : t('Business');
  return name ? `${name} · ${team}` : team;
}
