import { after } from '../kit/clock.ts';
import { currencies } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { isPriceCurrency, usDollar } from '../money/price-currencies.ts';
import { unitsOfRate } from '../money/rate-units.ts';
import { rateScale } from '../money/rates.ts';
import type { Heard } from './sources/source.ts';

/** What a source said of a pair, as it is kept: a rate with its time, or why it is none. */
export type Kept = {
  currency: string;
  priceCurrency: string;
  rate: string | null;
  at: Date | null;
  fault: string | null;
};

/** A source that says how old its value is may hand it on this much later; beyond it the value has its own time. */
const handedOnSeconds = 300;
const mostPairs = 500;

/** Judges what a source said. Pairs that Florin does not know are left out, and of a pair said twice the last counts. */
export function keptOf(heard: readonly Heard[], now: Date): Kept[] {
  const known = heard.filter(({ currency, priceCurrency }) => isPair(currency, priceCurrency));
  const last = new Map(known.map((each) => [`${each.currency}/${each.priceCurrency}`, each]));
  return [...last.values()].slice(0, mostPairs).map(({ currency, priceCurrency, value, at }) => {
    const units = unitsOf(value);
    if (units === null) return { currency, priceCurrency, rate: null, at: null, fault: faultOf(value) };
    const isOld = at !== undefined && !(at >= after(now, -handedOnSeconds));
    const rate = decimalOf(units, rateScale);
    return { currency, priceCurrency, rate, at: isOld ? at : now, fault: null };
  });
}

/** A coin in a price currency, or USD in another one: what rates follow from. */
function isPair(currency: string, priceCurrency: string): boolean {
  if (!isPriceCurrency(priceCurrency)) return false;
  if (currency === usDollar) return priceCurrency !== usDollar;
  return currencies.some((each) => each === currency);
}

/** Numbers, and texts that are plain decimals; nothing else is a rate. */
function unitsOf(value: unknown): bigint | null {
  return typeof value === 'number' || typeof value === 'string' ? unitsOfRate(String(value)) : null;
}

function faultOf(value: unknown): string {
  const said = JSON.stringify(value) ?? 'nothing';
  return `said ${said.length > 40 ? `${said.slice(0, 40)}…` : said}, which is no positive decimal`;
}
