import { html } from '../../kit/html.ts';
import type { PageContext } from '../context.ts';
import { claimPart } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { destinationsPart } from '../parts/destination.ts';
import { detailsPart } from '../parts/details.ts';
import { simulatePart } from '../parts/simulate.ts';
import type { ScreenView } from './screen-view.ts';

/** Some of the money was seen, and there is time to send the rest. */
export function partPaidView(context: PageContext): ScreenView {
  const { t, view, amount } = context;
  const sums = { received: amount(view.amountReceived), missing: amount(view.amountMissing) };
  return {
    icon: 'half',
    tone: 'wait',
    amountLabel: t('amountMissing'),
    amount: view.amountMissing,
    title: t('partTitle', sums),
    lead: [t('partLead'), view.mode === 'test' && html` ${t('linkedTestLead')}`],
    body: html`${destinationsPart(context)}${deadlinePart(context)}${simulatePart(context, 'primary')}${view.mode === 'live' && claimPart(context)}${detailsPart(context)}`,
  };
}
