import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { type PageContext, type PageOptions, pageContext } from '../context.ts';
import { isZero } from '../format.ts';
import { icon } from '../icons.ts';
import { messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import type { ClaimDraft } from '../owed.ts';
import { copyButton } from '../parts/copy.ts';
import { claimFaultMark } from '../parts/customer-forms.ts';
import { noticePart } from '../parts/notice.ts';
import { owedPart } from '../parts/owed/owed.ts';
import { wrongTokenPart } from '../parts/wrong-token.ts';
import { type ScreenName, screenOf } from '../screen.ts';
import { cancelledView } from './cancelled.ts';
import { claimMain, claimTitle } from './claim.ts';
import { completedView } from './completed.ts';
import { expiredView } from './expired.ts';
import { failedView } from './failed.ts';
import { inAppealView } from './in-appeal.ts';
import { lateView } from './late.ts';
import { layout } from './layout.ts';
import { linkedView } from './linked.ts';
import { overpaidView } from './overpaid.ts';
import { partPaidView } from './part-paid.ts';
import type { ScreenView } from './screen-view.ts';
import { seenView } from './seen.ts';
import { unreadView } from './unread.ts';
import { waitingView } from './waiting.ts';
import { walletView } from './wallet.ts';

const VIEWS: Record<ScreenName, (context: PageContext) => ScreenView> = {
  waiting: waitingView,
  linked: linkedView,
  wallet: walletView,
  seen: seenView,
  'part-paid': partPaidView,
  overpaid: overpaidView,
  late: lateView,
  expired: expiredView,
  unread: unreadView,
  failed: failedView,
  cancelled: cancelledView,
  'in-appeal': inAppealView,
  completed: completedView,
};

/** Longest amounts, in characters, that fit at the two largest sizes. */
const DISPLAY_LENGTH = 11;
const LARGE_LENGTH = 17;

/**
 * Renders the hosted page of a payment as a full HTML document. Pure: the same payment and options give the
 * same page. The script fetches the document again on every change, so this is the only renderer.
 */
export function renderPage(view: CheckoutPayment, options: PageOptions): string {
  const context = pageContext(view, options);
  if (options.claim) return claimPage(context, options.claim);
  const name = screenOf(view, options.now);
  const screen = VIEWS[name](context);
  const { payPath, query } = context;
  return layout({
    locale: options.locale,
    t: context.t,
    assets: options.assets,
    title: `${screen.title.text} · ${view.integration.name}`,
    testMode: view.mode === 'test',
    header: merchantHeader(context),
    main: mainPart(context, name, screen),
    languageHref: (other) => `${payPath}?${query}&lang=${other}`,
    asksLanguage: options.asksLanguage ?? false,
    live: { state: `${payPath}/state?${query}`, events: `${payPath}/events?${query}` },
    script: options.assets.script,
  });
}

/** The page that shows a claim again. It shows no changes, since it is the answer to a form, at the form's address. */
function claimPage(context: PageContext, claim: ClaimDraft): string {
  const { view, locale, t, assets, payPath, query } = context;
  return layout({
    locale,
    t,
    assets,
    title: `${claimTitle(context, claim).text} · ${view.integration.name}`,
    testMode: view.mode === 'test',
    header: merchantHeader(context),
    main: claimMain(context, claim),
    languageHref: (other) => `${payPath}?${query}&lang=${other}`,
    asksLanguage: false,
    live: null,
    script: claim.proof && assets.sign,
  });
}

/** The 404 page, when reference, app and token do not belong together. It names no merchant and no payment. */
export function renderNotFound(
  options: Pick<PageOptions, 'locale' | 'payPath' | 'assets' | 'asksLanguage'>,
): string {
  const t = translator(options.locale, messagesOf(options.locale));
  return layout({
    locale: options.locale,
    t,
    assets: options.assets,
    title: t('notFoundTitle').text,
    testMode: false,
    header: null,
    main: html`<main><div class="status bad">${icon('question')}<h1>${t('notFoundTitle')}</h1></div><p class="lead">${t('notFoundLead')}</p></main>`,
    languageHref: (other) => `${options.payPath}?lang=${other}`,
    asksLanguage: options.asksLanguage ?? false,
    live: null,
    script: null,
  });
}

/** The name and logo of the merchant. */
export function merchantHeader({
  t,
  view,
}: Pick<PageContext, 't'> & { view: Pick<CheckoutPayment, 'integration'> }): Html {
  const { name, logoUrl, domain } = view.integration;
  const mark = logoUrl
    ? html`<img class="logo" src="${logoUrl}" alt="" width="40" height="40">`
    : html`<span class="monogram" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`;
  return html`<div class="merchant">${mark}<span><bdi>${name}</bdi>${domain && html`<span class="domain">${icon('check')}<span class="visually-hidden">${t('verifiedDomain')}: </span><bdi dir="ltr">${domain}</bdi></span>`}</span></div>`;
}

function mainPart(context: PageContext, name: ScreenName, screen: ScreenView): Html {
  const { view, now, t } = context;
  return html`<main data-version="${view.version}" data-screen="${name}" data-received="${view.amountReceived}" data-now="${now.getTime()}">
${!screen.body.markup.includes(claimFaultMark) && noticePart(context)}
${amountPart(context, screen)}
<div class="status ${screen.tone}">${icon(screen.icon)}<h1 id="state" tabindex="-1">${screen.title}</h1></div>
<p class="lead">${screen.lead}</p>
${view.stepsAhead > 0 && html`<p class="hint">${t('simulateStepsAhead', { count: `${view.stepsAhead}` })}</p>`}
${wrongTokenPart(context)}
${owedPart(context)}
${screen.body}
</main>`;
}

function amountPart(context: PageContext, screen: ScreenView): Html {
  const { t, view, amount, format } = context;
  const number = format.number(screen.amount);
  const feeIncluded = view.feePayer === 'customer' && !isZero(view.fee) && screen.amount === view.amountDue;
  return html`<div class="amount"><p class="amount-label">${screen.amountLabel}</p><p class="amount-value ${amountSize(number)}"><bdi dir="ltr">${number} <span>${view.currency}</span></bdi>${screen.copiesAmount && copyButton(context, 'amount', screen.amount, 'amount-0')}</p>
${feeIncluded && html`<p class="amount-note">${t('feeIncluded', { fee: amount(view.fee) })}</p>`}</div>`;
}

export function amountSize(number: string): 'display' | 'large' | 'lead-size' {
  if (number.length <= DISPLAY_LENGTH) return 'display';
  return number.length <= LARGE_LENGTH ? 'large' : 'lead-size';
}
