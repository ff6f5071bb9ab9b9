import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';
import { cancelPart } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { detailsPart } from '../parts/details.ts';
import { isPayable, methodForm } from '../parts/methods.ts';
import { simulatePart } from '../parts/simulate/simulate.ts';
import { isOpen } from '../priced.ts';
import type { ScreenView } from './screen-view.ts';

/** Created: the customer chooses how to pay. */
export function waitingView(context: PageContext): ScreenView {
  const { t, view } = context;
  const payable = isPayable(view);
  return {
    icon: payable ? 'coins' : 'minus',
    tone: payable ? 'calm' : 'bad',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: t(titleKey(payable ? view.methods.length : 0)),
    lead: payable ? t('waitingLead') : unpayableLead(context),
    beside: simulatePart(context, 'plain'),
    body: html`${!payable && isOpen(view) && html`<p class="hint">${t('methodNoRate')}</p>`}${payable && methodForm(context, 'primary')}${payable && deadlinePart(context)}`,
    more: html`${detailsPart(context)}${cancelPart(context)}`,
  };
}

function unpayableLead({ t, view }: PageContext): Sentence {
  return isOpen(view) ? t('linkClosedLead') : t('noMethodLead', { currency: view.currency });
}

function titleKey(methods: number): 'noMethodTitle' | 'waitingOneTitle' | 'waitingTitle' {
  if (methods === 0) return 'noMethodTitle';
  return methods === 1 ? 'waitingOneTitle' : 'waitingTitle';
}
