import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { timeText } from '../parts/time.ts';
import { adjustmentText, isOpen, rateText } from '../priced.ts';
import { type ScreenName, screenOf } from '../screen.ts';

/** The screens on which money can still be sent at the rate of the quote. */
const sending: readonly ScreenName[] = ['waiting', 'linked', 'wallet', 'part-paid'];

/**
 * Below a price: what is added for paying in a coin, what of the coin pays it, the rate, and until when that holds; `amount`
 * is in the coin. Of an open payment only what is added.
 */
export function pricedSum(context: PageContext, amount: string): Html {
  const { t, view, now } = context;
  const adjustment = adjustmentText(context, view.price?.adjustment ?? 0);
  const adjusted = adjustment && note(adjustment);
  if (isOpen(view)) return html`${adjusted}${view.feePayer === 'customer' && note(t('linkFeeAdded'))}`;
  const sum = context.amount(amount);
  const isPaid = view.status === 'completed';
  const holds = sending.includes(screenOf(view, now));
  return html`${adjusted}<p class="amount-coin">${isPaid ? t('paidWith', { amount: sum }) : html`<bdi dir="ltr">= ${sum}</bdi>`}</p>${note(html`<bdi dir="ltr">${rateText(context)}</bdi>`)}${holds && note(t('rateHolds', { time: timeText(context, view.deadline) }))}`;
}

const note = (content: Html | null): Html => html`<p class="amount-note">${content}</p>`;
