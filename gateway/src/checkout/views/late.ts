import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import { detailsPart, writeToShopPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { confirmationsOf, progressPart, waitText } from '../parts/progress.ts';
import { explorerLinks } from '../parts/transfers.ts';
import { tooMuchPart } from './kept.ts';
import type { ScreenView } from './screen-view.ts';

/** Money came after the deadline. The full amount still counts; of less than that the merchant decides. */
export function lateView(context: PageContext): ScreenView {
  const { t, view, amount } = context;
  // Without a late window no amount completes the payment by itself.
  const covered = isZero(view.amountMissing) && view.lateUntil !== null;
  return {
    icon: 'clock',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('lateTitle'),
    lead: [
      covered
        ? t('lateCoveredLead')
        : t('latePartLead', {
            received: amount(view.amountReceived),
            due: amount(view.amountDue),
            merchant: view.integration.name,
          }),
      tooMuchPart(context),
    ],
    body: html`${covered && progressPart(context, confirmationsOf(view), waitText(context))}${explorerLinks(context)}
${writeToShopPart(context, t('writeToShop', { merchant: view.integration.name }), 'late-reference')}
<noscript>${checkAgain(context)}</noscript>`,
    more: detailsPart(context),
  };
}
