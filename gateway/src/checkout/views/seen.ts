import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { paidAmount } from '../paid.ts';
import { detailsPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { confirmationsOf, isCounted, progressPart } from '../parts/progress.ts';
import { sentPart } from '../parts/sent.ts';
import type { ScreenView } from './screen-view.ts';

/** The full amount was seen and waits for its confirmations. */
export function seenView(context: PageContext): ScreenView {
  const { t, view } = context;
  const confirmations = confirmationsOf(view);
  const isWalletPaying = view.wallet.attempt === 'capturing';
  return {
    icon: 'clock',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: paidAmount(view),
    title: isWalletPaying ? t('walletCheckingTitle', { wallet: view.wallet.name }) : t('sentTitle'),
    lead: t('sentLead'),
    body: html`${isCounted(confirmations) && progressPart(context, confirmations)}${!isWalletPaying && sentPart(context)}<noscript>${checkAgain(context)}</noscript>`,
    more: detailsPart(context),
  };
}
