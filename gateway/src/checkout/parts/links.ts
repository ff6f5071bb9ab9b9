import { type Html, html } from '../../kit/http/html.ts';
import type { PaidShop } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { isZero, shownUrl } from '../format.ts';
import { returnUrlOf } from '../state-json.ts';

const COUNTDOWN_SECONDS = 10;
/** No countdown starts later than this after the end, so that an old page can be opened again. */
const COUNTDOWN_WINDOW_MS = 10 * 60_000;

/** A link to the page itself, for browsers without script. */
export function checkAgain({ t, hrefIn, locale }: PageContext): Html {
  return html`<a class="button" id="check-again" href="${hrefIn(locale)}">${t('checkAgain')}</a>`;
}

/** The link back to the shop, which names the shop and where it leads; null until the payment has ended. */
export function returnLink(context: PageContext): Html | null {
  const url = returnUrlOf(context.view);
  if (!url) return null;
  return html`<a class="button primary" id="return" href="${url.href}" target="_top" rel="noreferrer">${context.t('returnTo', { merchant: context.view.integration.name })}<span class="host" dir="ltr">${url.host}</span></a>${countdown(context, url)}`;
}

/** Links to the shop's contact addresses; null when it has none. A mail has the reference as its subject. */
export function contactLinks({ contact }: PaidShop, reference: string | null): Html | null {
  const { email, url } = contact;
  if (email === null && url === null) return null;
  return html`<span class="contact">${email !== null && html`<a href="${mailto(email, reference)}" dir="ltr">${email}</a>`}${url !== null && html`<a href="${url}" rel="noreferrer" target="_blank" dir="ltr">${shownUrl(url)}</a>`}</span>`;
}

/**
 * Whether the customer must read the page, or may have to act on it: something was sent too much, is owed or refunded, or money came
 * for a payment that was not completed; or its time is up, and whoever has paid says so here.
 */
function isToBeRead({ view, offers }: PageContext): boolean {
  const { status, reason, owed, refunds } = view;
  if (owed.length + refunds.length > 0 || !isZero(view.overpayment)) return true;
  if (status === 'completed') return false;
  return !isZero(view.amountReceived) || (reason === 'abandoned' && offers('claim'));
}

function mailto(email: string, reference: string | null): string {
  const subject = reference === null ? '' : `?subject=${encodeURIComponent(reference)}`;
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}${subject}`;
}

/** The countdown after the end (contract.md#page). The script runs it, and whatever the customer does on the page stops it. */
function countdown(context: PageContext, url: URL): Html | null {
  const { t, view, now } = context;
  if (!context.offers('countdown') || view.stays || !view.endedAt || isToBeRead(context)) return null;
  if (now.getTime() - view.endedAt.getTime() > COUNTDOWN_WINDOW_MS) return null;
  const template = t('returningIn', { host: url.host, seconds: '{seconds}' }).text;
  const first = template.replace('{seconds}', `${COUNTDOWN_SECONDS}`);
  return html`<div class="countdown" data-seconds="${COUNTDOWN_SECONDS}" data-template="${template}" hidden><span>${first}</span><button type="button" class="quiet" id="stay">${t('stayHere')}</button></div>`;
}
