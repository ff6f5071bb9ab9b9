import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import { claimPart } from '../parts/customer-forms.ts';
import { detailsPart } from '../parts/details.ts';
import { returnLink } from '../parts/links.ts';
import { moneyCameLead, moneyCamePart } from './money-came.ts';
import type { ScreenView } from './screen-view.ts';

/** The payment failed: whether money moved, and the link back to the shop. */
export function failedView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'cross',
    tone: 'bad',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('failedTitle'),
    lead: isZero(view.amountReceived) ? nothingCameLead(context) : moneyCameLead(context),
    body: html`${returnLink(context)}${moneyCamePart(context)}`,
    more: html`${isZero(view.amountReceived) && claimPart(context)}${detailsPart(context)}`,
  };
}

function nothingCameLead({ t, view }: PageContext) {
  const dropped = view.wallet.attempt !== 'lost' && view.transfers.some(({ state }) => state === 'gone');
  return dropped ? t('failedGoneLead') : t('failedLead');
}
