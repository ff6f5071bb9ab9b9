import { currencyScale } from '../../money/assets.ts';
import type { Price } from '../payment/price.ts';
import { type Quote, quotedAmount } from './quote.ts';

/** Quotes have at least so many decimals, unless operators set fewer. */
const fewestDecimals = 2;
const most = 1_000;
const steps = [100, 50, 25, 10, 5, 1];

/**
 * The basis points that were added to a price before its quote was made. The integration's are those where they give the
 * quote's amount; they may have been changed since, and then it is the roundest number that does. 0: none do.
 */
export function adjustmentOf(price: Price, quote: Quote, ofIntegration: number): number {
  const doesGive = (basisPoints: number) => givesAmount(price, quote, basisPoints);
  const known = [ofIntegration, 0].find(doesGive);
  return known ?? steps.flatMap(multiplesOf).find(doesGive) ?? 0;
}

function givesAmount(price: Price, { currency, rate, amount }: Quote, priceAdjustment: number): boolean {
  for (let decimals = fewestDecimals; decimals <= currencyScale[currency]; decimals++)
    if (quotedAmount(price, currency, rate, { priceAdjustment, decimals }) === amount) return true;
  return false;
}

/** The multiples of a step that a setting may be, the smallest first. */
const multiplesOf = (step: number): number[] =>
  Array.from({ length: most / step }, (_, index) => (index + 1) * step).flatMap((each) => [-each, each]);
