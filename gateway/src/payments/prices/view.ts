import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { rateScale } from '../../money/rates.ts';
import type { Quote } from './quote.ts';

/** A rate in words: units of the price's currency for one of the quote's. */
export const rateText = (rate: bigint): string => decimalOf(rate, rateScale);

/** A quote as the API and the page show it, with what each source said. */
export function quoteView({ currency, amount, rate, at, sources }: Quote): QuoteView {
  return {
    currency,
    amount: decimalOf(amount, currencyScale[currency]),
    rate: rateText(rate),
    at: at.toISOString(),
    sources,
  };
}

export type QuoteView = {
  currency: Currency;
  amount: string;
  rate: string;
  at: string;
  sources: Quote['sources'];
};
