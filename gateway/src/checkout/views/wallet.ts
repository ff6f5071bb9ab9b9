import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { cancelPart, elsewhereLink, inWalletLink, walletForm } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { detailsPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { otherMethodsPart } from '../parts/methods.ts';
import { simulatePart } from '../parts/simulate/simulate.ts';
import type { ScreenView } from './screen-view.ts';
import { waitingView } from './waiting.ts';

/**
 * The wallet is chosen: signing in pays. If the user must approve the payment elsewhere, the page waits for that. A page without
 * the wallet offers the other ways.
 */
export function walletView(context: PageContext): ScreenView {
  if (!context.offers('wallet')) return waitingView(context);
  const { t, view, amount } = context;
  const due = amount(view.amountDue);
  const { name: wallet, attempt } = view.wallet;
  const isWaiting = attempt === 'waiting';
  return {
    icon: 'wallet',
    tone: isWaiting ? 'wait' : 'calm',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: isWaiting ? t('walletWaitingTitle', { wallet }) : t('walletTitle', { wallet }),
    lead: isWaiting ? t('walletWaitingLead', { amount: due }) : t('walletLead', { amount: due }),
    beside: simulatePart(context, 'plain'),
    body: html`${isWaiting ? html`<noscript>${checkAgain(context)}</noscript>` : formPart(context)}${inWalletLink(context)}${deadlinePart(context)}`,
    more: html`${otherMethodsPart(context)}${detailsPart(context)}${cancelPart(context)}`,
  };
}

const formPart = (context: PageContext) =>
  context.installationPage === undefined ? walletForm(context) : elsewhereLink(context);
