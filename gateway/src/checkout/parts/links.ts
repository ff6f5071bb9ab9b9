import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { returnUrlOf } from '../state-json.ts';

const COUNTDOWN_SECONDS = 10;
/** No countdown starts later than this after completion, so that an old receipt can be opened again. */
const COUNTDOWN_WINDOW_MS = 10 * 60_000;

/** A link to the page itself, for browsers without script. */
export function checkAgain({ t, payPath, query, locale }: PageContext): Html {
  return html`<a class="button" id="check-again" href="${payPath}?${query}&lang=${locale}">${t('checkAgain')}</a>`;
}

/** The link back to the shop, which names its host; null until the payment has ended. */
export function returnLink(context: PageContext): Html | null {
  const url = returnUrlOf(context.view);
  if (!url) return null;
  return html`<a class="button primary" id="return" href="${url.href}" rel="noreferrer">${context.t('returnTo', { host: url.host })}</a>${countdown(context, url)}`;
}

/** The countdown after a completed payment. The script runs it, and a button stops it. */
function countdown({ t, view, now }: PageContext, url: URL): Html | null {
  if (!view.completedAt || view.status !== 'completed') return null;
  if (now.getTime() - view.completedAt.getTime() > COUNTDOWN_WINDOW_MS) return null;
  const template = t('returningIn', { host: url.host, seconds: '{seconds}' }).text;
  return html`<div class="countdown" data-seconds="${COUNTDOWN_SECONDS}" data-template="${template}" hidden><span></span><button type="button" class="quiet" id="stay">${t('stayHere')}</button></div>`;
}
