import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { cancelPart, claimPart } from '../parts/customer-forms.ts';
import { detailsPart } from '../parts/details.ts';
import { checkAgain } from '../parts/links.ts';
import { explorerLinks } from '../parts/transfers.ts';
import type { ScreenView } from './screen-view.ts';

/** The deadline has passed, but a network was not read up to it yet: transfers sent in time may still be found. */
export function unreadView(context: PageContext): ScreenView {
  const { t, view } = context;
  return {
    icon: 'clock',
    tone: 'wait',
    amountLabel: t('amountPlain'),
    amount: view.amountDue,
    title: t('expiredTitle'),
    lead: t('unreadLead'),
    body: html`${explorerLinks(context)}<noscript>${checkAgain(context)}</noscript>`,
    more: html`${claimPart(context)}${detailsPart(context)}${view.status === 'linked' && cancelPart(context)}`,
  };
}
