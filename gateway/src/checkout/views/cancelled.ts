import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import type { Sentence } from '../messages/translate.ts';
import { claimPart } from '../parts/customer-forms.ts';
import { detailsPart } from '../parts/details.ts';
import { returnLink } from '../parts/links.ts';
import { moneyCameLead, moneyCamePart } from './money-came.ts';
import type { ScreenView } from './screen-view.ts';

/** Cancelled by a person, not by the deadline. */
export function cancelledView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'minus',
    tone: 'bad',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: cancelledTitle(context),
    lead: isZero(view.amountReceived) ? t('cancelledLead') : moneyCameLead(context),
    body: html`${returnLink(context)}${moneyCamePart(context)}`,
    more: html`${isZero(view.amountReceived) && claimPart(context)}${detailsPart(context)}`,
  };
}

function cancelledTitle({ t, view }: PageContext): Sentence {
  if (view.reason === 'customer') return t('cancelledByCustomerTitle');
  if (view.reason === 'merchant') return t('cancelledByMerchantTitle', { merchant: view.integration.name });
  return t('cancelledTitle');
}
