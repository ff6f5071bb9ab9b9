import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { paidAmount } from '../paid.ts';
import { disputePart } from '../parts/customer-forms.ts';
import { receiptDetailsPart, receiptPart } from '../parts/details.ts';
import { returnLink } from '../parts/links.ts';
import { receiptMailPart } from '../parts/receipt-mail.ts';
import { keptPart } from './kept.ts';
import type { ScreenView } from './screen-view.ts';

/** Paid: the receipt and the link back to the shop. */
export function completedView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'check',
    tone: 'good',
    amountLabel: t('amountPaid'),
    amount: paidAmount(view),
    title: t('completedTitle'),
    lead: [t('completedLead', { merchant: view.integration.name }), keptPart(context)],
    body: html`${returnLink(context)}${receiptPart(context)}`,
    more: html`${receiptMailPart(context)}${receiptDetailsPart(context)}${disputePart(context)}`,
  };
}
