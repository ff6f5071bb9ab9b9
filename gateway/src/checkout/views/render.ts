import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { type PageContext, type PageOptions, pageContext } from '../context.ts';
import { statusMessage } from '../frame.ts';
import { florin, icon } from '../icons.ts';
import { messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import type { ClaimDraft } from '../owed.ts';
import { claimFaultMark } from '../parts/customer-forms.ts';
import { noticePart } from '../parts/notice.ts';
import { besidesPart } from '../parts/owed/wrong-token.ts';
import { type ScreenName, screenOf } from '../screen.ts';
import { cancelledView } from './cancelled.ts';
import { claimAction, claimTitle } from './claim.ts';
import { completedView } from './completed.ts';
import { expiredView } from './expired.ts';
import { failedView } from './failed.ts';
import { inAppealView } from './in-appeal.ts';
import { lateView } from './late.ts';
import { layout } from './layout.ts';
import { linkedView } from './linked.ts';
import { orderPart } from './order.ts';
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

/**
 * Renders the hosted page of a payment as a full HTML document. Pure: the same payment and options give the
 * same page. The script fetches the document again on every change, so this is the only renderer.
 */
export function renderPage(view: CheckoutPayment, options: PageOptions): string {
  const context = pageContext(view, options);
  if (options.claim) return claimPage(context, options.claim);
  const name = screenOf(view, options.now);
  const screen = VIEWS[name](context);
  const { payPath, query, frame } = context;
  return layout({
    locale: options.locale,
    t: context.t,
    assets: options.assets,
    title: `${screen.title.text} · ${view.integration.name}`,
    testMode: view.mode === 'test',
    color: view.integration.color,
    order: orderPart(context, screen),
    action: actionPart(context, name, screen),
    state: html` data-version="${view.version}" data-screen="${name}" data-received="${view.amountReceived}" data-now="${options.now.getTime()}"${frame && html` data-message="${JSON.stringify(statusMessage(view))}"`}`,
    languageHref: context.hrefIn,
    asksLanguage: options.asksLanguage ?? false,
    live: { state: `${payPath}/state?${query}`, events: `${payPath}/events?${query}` },
    script: options.assets.script,
    frame: frame ? { ...frame, wholeHref: `${payPath}?${query}&lang=${options.locale}` } : null,
  });
}

/** The page that shows a claim again. It shows no changes, since it is the answer to a form, at the form's address. */
function claimPage(context: PageContext, claim: ClaimDraft): string {
  const { view, locale, t, assets } = context;
  return layout({
    locale,
    t,
    assets,
    title: `${claimTitle(context, claim).text} · ${view.integration.name}`,
    testMode: view.mode === 'test',
    color: view.integration.color,
    order: orderPart(context, { amountLabel: t('amountPlain'), amount: view.amountDue }),
    action: claimAction(context, claim),
    state: html` data-screen="claim"`,
    languageHref: context.hrefIn,
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
    order: null,
    action: html`<div class="status bad">${icon('question')}<h1>${t('notFoundTitle')}</h1></div><p class="lead">${t('notFoundLead')}</p>`,
    state: null,
    languageHref: (other) => `${options.payPath}?lang=${other}`,
    asksLanguage: options.asksLanguage ?? false,
    live: null,
    script: null,
  });
}

/** The screens on which money can be sent. */
const asking: readonly ScreenName[] = ['waiting', 'linked', 'wallet', 'part-paid'];

function actionPart(context: PageContext, name: ScreenName, screen: ScreenView): Html {
  const { view, t } = context;
  const isAsking = asking.includes(name);
  const besides = besidesPart(context, isAsking);
  return html`${!screen.more.markup.includes(claimFaultMark) && noticePart(context)}${name === 'completed' && florin}
<div class="status ${screen.tone}">${icon(screen.icon)}<h1 id="state" tabindex="-1">${screen.title}</h1></div>
<p class="lead">${screen.lead}</p>
${view.stepsAhead > 0 && html`<p class="hint">${t('simulateStepsAhead', { count: `${view.stepsAhead}` })}</p>`}
${!isAsking && besides}
<div class="act">${screen.beside}<div>${screen.body}</div></div>
${isAsking && besides}
${screen.more}`;
}
