import { type Html, html } from '../../kit/http/html.ts';
import { isSimulated } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import type { Sentence } from '../messages/translate.ts';
import { claimPart } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { destinationPart, moreOfDestination, shownDestination } from '../parts/destination.ts';
import { detailsPart } from '../parts/details.ts';
import { enoughPart } from '../parts/enough/enough.ts';
import { disclosure } from '../parts/form.ts';
import { checkAgain } from '../parts/links.ts';
import { worthText } from '../priced.ts';
import { besideDestination } from './beside.ts';
import type { ScreenView } from './screen-view.ts';

/** Some of the money was seen, or all that was seen is gone, and there is time to send what is missing. */
export function partPaidView(context: PageContext): ScreenView {
  const { t, view, amount } = context;
  const sums = { received: amount(view.amountReceived), missing: amount(view.amountMissing) };
  const destination = shownDestination(view);
  const isGone = isZero(view.amountReceived);
  return {
    icon: 'half',
    tone: 'wait',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: isGone ? goneTitleOf(context) : t('partTitle', sums),
    lead: [
      leadOf(context, isGone),
      worthOfRest(context),
      isSimulated(view, destination) && html` ${t('linkedTestLead')}`,
    ],
    beside: besideDestination(context, destination),
    body: html`${destination ? destinationPart(context, destination) : html`<noscript>${checkAgain(context)}</noscript>`}${enoughPart(context)}${deadlinePart(context)}`,
    more: disclosure(
      'other-ways',
      t('otherWays'),
      html`${destination && moreOfDestination(context, destination)}${!isSimulated(view, destination) && claimPart(context)}${detailsPart(context)}`,
      context.claimed !== undefined,
    ),
  };
}

function goneTitleOf({ t, view }: PageContext): Sentence {
  const { name: wallet, attempt } = view.wallet;
  return attempt === 'lost' ? t('walletLostTitle', { wallet }) : t('partGoneTitle');
}

/** About how much of the price is still to send. */
function worthOfRest(context: PageContext): Html | null {
  const { t, view } = context;
  const worth = worthText(context, view.amountMissing, view.currency);
  return worth === null ? null : html` ${t('partWorth', { amount: worth })}`;
}

/** What to do next. The text mentions the address only when the page shows it. */
function leadOf({ t, view }: PageContext, isGone: boolean): Html {
  if (isGone) return html`${view.wallet.attempt === 'lost' ? t('failedLead') : t('partGoneLead')}`;
  const destination = shownDestination(view);
  if (!destination) return html`${t('partNoNetworkLead')}`;
  return html`${destination.memo === null ? t('partLead') : t('partMemoLead')}`;
}
