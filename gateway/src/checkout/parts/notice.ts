import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';
import { GOOD_NOTICES, NOTICES, type NoticeSlug } from '../notices.ts';

/** The message of a notice. */
export function noticeText({ t }: PageContext, notice: NoticeSlug): Sentence {
  return t(NOTICES[notice]);
}

/** The result of the form that was just sent; null for an unknown slug. */
export function noticePart({ t, view, notice: asked, mixRefusal }: PageContext): Html | null {
  // A refusal that came while the page waited has no form that it answers.
  const notice =
    asked ?? (view.status === 'linked' && view.wallet.attempt === 'refused' ? 'wallet_refused' : asked);
  if (!isNotice(notice)) return null;
  const tone = GOOD_NOTICES.includes(notice) ? 'good' : 'bad';
  return html`<p class="notice ${tone}" role="status">${t(NOTICES[notice])}${mixRefusal && html` <bdi lang="en" dir="ltr">${mixRefusal}</bdi>`}</p>`;
}

function isNotice(slug: string | undefined): slug is NoticeSlug {
  return slug !== undefined && Object.hasOwn(NOTICES, slug);
}
