import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { type PiOffer, piOfferOf } from '../pi-offer.ts';

/** How long the page's script waits for Pi or the gateway before it says that there is no answer. */
const timeoutSeconds = 15;

/**
 * Paying with Pi's SDK; null where that is not offered. The page's script loads the Pi script, which reads from this
 * part the payment to request, the calls to report it to, and the texts to show.
 */
export function piBrowserPart(context: PageContext, destination: CheckoutDestination): Html | null {
  const offer = context.offers('pi') ? piOfferOf(destination, context.isPiBrowser) : null;
  if (!offer) return null;
  const { t, assets } = context;
  const order = JSON.stringify(orderOf(context, destination, offer));
  return html`<section class="in-browser needs-script" id="pi-browser" aria-label="${t('piPay').text}" data-script="${assets.pi.path}" data-order="${order}"><button type="button" class="button primary" id="pay-pi" data-press><span>${t('piPay')}</span></button><div class="status-text" id="pi-status"></div></section>`;
}

/** Has the shape of `PiOrder` in the Pi script. */
function orderOf(context: PageContext, { memo, amount }: CheckoutDestination, offer: PiOffer) {
  const { view, credentials, payPath, locale, isPiBrowser } = context;
  return {
    payment: `${view.integration.id}:${view.reference}`,
    amount: offer.amount,
    memo,
    sdkUrl: offer.sdkUrl,
    sandbox: offer.sandbox,
    loadsAtOnce: isPiBrowser === true,
    timeoutMs: timeoutSeconds * 1000,
    calls: `${payPath}/pi/`,
    fields: { ...credentials, lang: locale },
    seen: view.transfers.map(({ transaction }) => transaction),
    words: wordsOf(context, amount),
  };
}

/** Values that are known only in the browser stay placeholders. */
function wordsOf({ t, view, format }: PageContext, amount: string) {
  const { name: merchant, contact } = view.integration;
  const shop = contact.email ?? contact.url;
  const seconds = timeoutSeconds;
  const words = {
    opening: t('piOpening'),
    earlier: t('piEarlier'),
    earlierOpen: t('piEarlierOpen'),
    approving: t('piApproving'),
    confirming: t('piConfirming', { amount: format.amount(amount, view.currency) }),
    notLoaded: t('piNotLoaded'),
    noAnswer: t('piNoAnswer', { seconds }),
    notApproved: t('piNotApproved', { seconds }),
    refused: t('piRefused'),
    otherPaid: t('piOtherPaid'),
    otherOpen: t('piOtherOpen'),
    unmatched: t('piUnmatched', { merchant }),
    declined: t('browserWalletDeclined'),
    trouble: t('browserWalletTrouble', { problem: '{problem}' }),
    sentTitle: t('sentTitle'),
    sentLead: t('sentLead'),
  };
  const texts = Object.fromEntries(Object.entries(words).map(([name, { text }]) => [name, text]));
  return shop === null ? texts : { ...texts, unmatched: `${words.unmatched.text} ${shop}` };
}
