import { html } from '../../kit/http/html.ts';
import { isSimulated } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { cancelPart, claimPart } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { destinationPart, moreOfDestination, shownDestination } from '../parts/destination.ts';
import { detailsPart } from '../parts/details.ts';
import { disclosure } from '../parts/form.ts';
import { checkAgain } from '../parts/links.ts';
import { otherMethodsPart } from '../parts/methods.ts';
import { besideDestination } from './beside.ts';
import type { ScreenView } from './screen-view.ts';

/** The network is chosen: where to send the money. The network may have become unavailable since. */
export function linkedView(context: PageContext): ScreenView {
  const { t, view } = context;
  const destination = shownDestination(view);
  if (!destination) return unavailableView(context);
  const { network } = destination;
  return {
    icon: 'send',
    tone: 'calm',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: t('linkedTitle', { currency: view.currency, network }),
    lead: isSimulated(view, destination)
      ? t('linkedTestLead')
      : html`${t('linkedLead')}<span class="needs-script"> ${t('linkedNotices')}</span>`,
    beside: besideDestination(context, destination),
    body: html`${destinationPart(context, destination)}${deadlinePart(context)}`,
    more: html`${disclosure(
      'other-ways',
      t('otherWays'),
      html`${moreOfDestination(context, destination)}${!isSimulated(view, destination) && claimPart(context)}${otherMethodsPart(context)}${detailsPart(context)}`,
      context.claimed !== undefined,
    )}${cancelPart(context)}`,
  };
}

function unavailableView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'minus',
    tone: 'bad',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: t('noMethodTitle'),
    lead: t('linkedNoNetworkLead'),
    body: html`<noscript>${checkAgain(context)}</noscript>${deadlinePart(context)}`,
    more: html`${claimPart(context)}${otherMethodsPart(context)}${detailsPart(context)}${cancelPart(context)}`,
  };
}
