import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';
import { conversationPart } from '../parts/conversation.ts';
import { detailsPart, writeToShopPart } from '../parts/details.ts';
import type { ScreenView } from './screen-view.ts';

/** A person has to decide: the reason, and the reference that the customer should keep. */
export function inAppealView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'question',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('appealTitle'),
    lead: appealLead(context),
    body: html`${writeToShopPart(context, t('appealNext', { merchant: view.integration.name }), 'appeal-reference')}
${context.offers('message') && view.disputeText !== null && html`<section class="conversation"><h2>${t('disputeYours')}</h2><p class="said" dir="auto">${view.disputeText}</p></section>`}
${conversationPart(context)}`,
    more: detailsPart(context),
  };
}

function appealLead({ t, view, amount }: PageContext): Sentence {
  if (view.reason === 'disputed') return t('appealDisputeLead');
  if (view.reason === 'reorg') return t('appealGoneLead');
  // Its rate is over: what came late does not complete a payment with a price (contract.md#prices).
  if (view.reason === 'late' && view.price)
    return t('moneyArrivedLead', { received: amount(view.amountReceived), merchant: view.integration.name });
  if (view.reason !== 'part_paid' && view.status === 'in-appeal') return t('appealLead');
  return t('appealPartLead', {
    received: amount(view.amountReceived),
    due: amount(view.amountDue),
    merchant: view.integration.name,
  });
}
