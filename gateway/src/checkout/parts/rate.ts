import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { worthOf } from '../priced.ts';

/** The rate of the quote: `1 USDC = 0.9376 EUR`; null: there is no quote. */
export function rateText({ view, format }: Pick<PageContext, 'view' | 'format'>): string | null {
  if (!view.price || !view.quote) return null;
  return `1\u00a0${view.quote.currency} = ${format.rate(view.quote.rate)}\u00a0${view.price.currency}`;
}

export function rateLine(context: PageContext): Html | null {
  const text = rateText(context);
  return text === null ? null : html`<bdi dir="ltr">${text}</bdi>`;
}

/** What an amount of the coin is worth at the rate of the quote, formatted; null: there is no quote, or it is of another coin. */
export function worthText({ view, format }: PageContext, amount: string, currency: string): string | null {
  if (view.quote?.currency !== currency) return null;
  const worth = worthOf(view, amount);
  return worth && format.amount(worth.amount, worth.currency);
}
