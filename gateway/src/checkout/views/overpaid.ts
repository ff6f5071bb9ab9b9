import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { detailsPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { confirmationsOf, progressPart } from '../parts/progress.ts';
import { explorerLinks } from '../parts/transfers.ts';
import { overpaymentNotes } from './kept.ts';
import type { ScreenView } from './screen-view.ts';

/** More than the amount due was seen: the payment goes through, and the overpayment is not lost. */
export function overpaidView(context: PageContext): ScreenView {
  const { t, view, amount } = context;
  const overpayment = amount(view.overpayment);
  return {
    icon: 'clock',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('overpaidTitle', { overpayment }),
    lead: html`${t('overpaidLead')} ${overpaymentNotes(context)}`,
    body: html`${progressPart(context, confirmationsOf(view))}${explorerLinks(context)}
<noscript>${checkAgain(context)}</noscript>`,
    more: detailsPart(context),
  };
}
