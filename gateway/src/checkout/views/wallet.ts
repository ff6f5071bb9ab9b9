import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { cancelPart, inWalletLink, walletForm } from '../parts/customer-forms.ts';
import { deadlinePart } from '../parts/deadline.ts';
import { detailsPart } from '../parts/details.ts';
import { otherMethodsPart } from '../parts/methods.ts';
import { simulatePart } from '../parts/simulate.ts';
import type { ScreenView } from './screen-view.ts';

/** The Florin wallet is chosen: signing in pays. */
export function walletView(context: PageContext): ScreenView {
  const { t, view, amount } = context;
  return {
    icon: 'wallet',
    tone: 'calm',
    amountLabel: t('amountToPay'),
    amount: view.amountDue,
    title: t('walletTitle'),
    lead: t('walletLead', { amount: amount(view.amountDue) }),
    body: html`${walletForm(context)}${inWalletLink(context)}${deadlinePart(context)}${simulatePart(context, 'plain')}
${otherMethodsPart(context)}${detailsPart(context)}${cancelPart(context)}`,
  };
}
