import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { claimPart } from '../parts/customer-forms.ts';
import { detailsPart } from '../parts/details.ts';
import { returnLink } from '../parts/links.ts';
import { timeText } from '../parts/time.ts';
import { moneyCameLead } from './money-came.ts';
import type { ScreenView } from './screen-view.ts';

/** The deadline has passed and no money came, or too little to count. */
export function expiredView(context: PageContext): ScreenView {
  const { t, view, now } = context;
  const late = view.lateUntil && view.lateUntil.getTime() > now.getTime() ? view.lateUntil : null;
  return {
    icon: 'minus',
    tone: 'bad',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('expiredTitle'),
    lead: view.isDust ? moneyCameLead(context) : t('expiredLead'),
    body: html`${returnLink(context)}${late && html`<p class="hint">${t('expiredLateHint', { time: timeText(context, late) })}</p>`}`,
    more: html`${claimPart(context)}${detailsPart(context)}`,
  };
}
