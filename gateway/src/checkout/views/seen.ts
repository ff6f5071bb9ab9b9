import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { detailsPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { confirmationsOf, isCounted, progressPart, waitPart } from '../parts/progress.ts';
import { explorerLinks } from '../parts/transfers.ts';
import type { ScreenView } from './screen-view.ts';

/** The full amount was seen and waits for its confirmations. */
export function seenView(context: PageContext): ScreenView {
  const { t, view } = context;
  const confirmations = confirmationsOf(view);
  const title = isCounted(confirmations) ? t('seenTitle', confirmations) : t('seenUncountedTitle');
  return {
    icon: 'clock',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title,
    lead: t('seenLead'),
    body: html`${progressPart(confirmations, title)}${waitPart(context)}${explorerLinks(context)}<noscript>${checkAgain(context)}</noscript>${detailsPart(context)}`,
  };
}
