import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';
import { GOOD_NOTICES, NOTICES, type PlainNotice } from '../notices.ts';
import { contactLinks } from './links.ts';

/** Notices that tell the customer to ask the shop. */
const askShop: readonly PlainNotice[] = [
  'claim_unmatched',
  'claim_other_coin',
  'claim_elsewhere',
  'claim_elsewhere_memo',
];

/** The message of a notice. */
export function noticeText({ t }: PageContext, notice: PlainNotice): Sentence {
  return t(NOTICES[notice]);
}

/** Where to write to, for a notice that tells the customer to ask the shop. */
export function noticeContact({ view }: PageContext, notice: PlainNotice): Html | null {
  return askShop.includes(notice) ? contactLinks(view.integration, view.reference) : null;
}

/** The result of the form that was just sent; null for an unknown slug. */
export function noticePart(context: PageContext): Html | null {
  const { t, view, notice: asked, mixRefusal } = context;
  // A refusal while the page waited is the answer to no form.
  const notice =
    asked ?? (view.status === 'linked' && view.wallet.attempt === 'refused' ? 'wallet_refused' : asked);
  const sentTo = view.receipt?.sentTo;
  if (notice === 'receipt_sent' && sentTo) return good(t('receiptMailedTo', { email: sentTo }));
  if (!isNotice(notice)) return null;
  const contact = noticeContact(context, notice);
  const tone = GOOD_NOTICES.includes(notice) ? 'good' : 'bad';
  return html`<p class="notice ${tone}" role="status">${noticeText(context, notice)}${contact && html` ${contact}`}${mixRefusal && html` <bdi lang="en" dir="ltr">${mixRefusal}</bdi>`}</p>`;
}

function good(message: Sentence): Html {
  return html`<p class="notice good" role="status">${message}</p>`;
}

function isNotice(slug: string | undefined): slug is PlainNotice {
  return slug !== undefined && Object.hasOwn(NOTICES, slug);
}
