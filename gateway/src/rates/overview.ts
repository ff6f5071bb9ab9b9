import { after } from '../kit/clock.ts';
import { type Currency, currencies } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { isPriceCurrency, type PriceCurrency, usDollar } from '../money/price-currencies.ts';
import { over } from '../money/rate-units.ts';
import { rateScale } from '../money/rates.ts';
import { type AnswerState, factsOf, type WholeBook } from './rate-book.ts';
import { quoteOf } from './read-rates.ts';
import { agree, coinSeconds, type Found, type NoRate, rateBy, typedSource } from './rule.ts';

/**
 * What became of an answer: `used`; `old`; `apart`: it disagrees, or stands alone; `wrong`: it is no rate; `replaced` by a
 * typed rate.
 */
export const verdicts = ['used', 'old', 'apart', 'wrong', 'replaced'] as const;
type Verdict = (typeof verdicts)[number];

/** What operators see of a coin in a price currency. */
export type PairState = {
  currency: Currency;
  priceCurrency: PriceCurrency;
  rate: string | null;
  at: Date | null;
  why: NoRate | null;
  /** The highest used answer above the lowest, in percent with two decimals. */
  spread: string | null;
  /** A coin that promises to be worth a dollar, and is not. */
  isAway: boolean;
  sources: { name: string; rate: string | null; at: Date | null; verdict: Verdict; fault: string | null }[];
  typed: { rate: string; at: Date; endsAt: Date; holds: boolean } | null;
};

const one = 10n ** BigInt(rateScale);
const stableCoins: readonly Currency[] = ['USDC', 'USDT'];

/** Every pair of a coin and a price currency of which a source or an operator has spoken. */
export function pairStates(book: WholeBook, now: Date): PairState[] {
  return currencies.flatMap((currency) => {
    const spoken = [...book.answers, ...book.typed].filter((each) => each.currency === currency);
    const codes = [...new Set(spoken.map(({ priceCurrency }) => priceCurrency))].filter(isPriceCurrency);
    // USD first: other pairs are crossed through it.
    const ordered = codes.sort((a, b) => (a === usDollar || (b !== usDollar && a < b) ? -1 : 1));
    return ordered.map((priceCurrency) => pairState(book, { currency, priceCurrency }, now));
  });
}

/** Pairs that an operator looks after: without a rate, or with a stable coin that is away from its dollar. */
export const needsCare =
  (offered: readonly Currency[]) =>
  ({ currency, rate, isAway }: PairState): boolean =>
    offered.includes(currency) && (rate === null || isAway);

function pairState(
  book: WholeBook,
  { currency, priceCurrency }: { currency: Currency; priceCurrency: PriceCurrency },
  now: Date,
): PairState {
  const isPair = (each: { currency: string; priceCurrency: string }): boolean =>
    each.currency === currency && each.priceCurrency === priceCurrency;
  const { found, why } = rateBy(factsOf(book, currency, priceCurrency), now);
  const quote = quoteOf(found, { currency, priceCurrency });
  const typed = book.typed.find(isPair);
  const said = book.answers.filter(isPair).map((answer) => ({
    ...{ name: answer.source, rate: answer.rate, at: answer.at, fault: answer.fault },
    verdict: verdictOf(answer, found, now),
  }));
  const crossed = found?.sources.some(({ leg }) => leg !== 'direct') ? (quote?.sources ?? []) : [];
  return {
    ...{ currency, priceCurrency, why },
    rate: quote?.rate ?? null,
    at: quote?.at ?? null,
    spread: spreadOf(found),
    isAway: isAway(currency, priceCurrency, found),
    sources: [
      ...said,
      ...crossed.map((each) => ({
        ...{ ...each, at: new Date(each.at) },
        ...{ verdict: 'used' as const, fault: null },
      })),
    ],
    typed: typed
      ? {
          ...{ rate: typed.rate, at: typed.at, endsAt: typed.endsAt },
          holds: typed.at <= now && now < typed.endsAt,
        }
      : null,
  };
}

function verdictOf({ source, at, fault }: AnswerState, found: Found | null, now: Date): Verdict {
  if (found?.sources.some((each) => each.source === source && each.leg === 'direct')) return 'used';
  if (fault !== null) return 'wrong';
  if (found?.sources.some((each) => each.source === typedSource)) return 'replaced';
  return at !== null && at >= after(now, -coinSeconds) ? 'apart' : 'old';
}

function spreadOf(found: Found | null): string | null {
  const units = (found?.sources ?? []).filter(({ leg }) => leg !== 'fiat').map((each) => each.units);
  const sorted = units.sort((a, b) => (a < b ? -1 : 1));
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined || sorted.length < 2) return null;
  // A percent with two decimals is a part with four.
  const step = 10n ** BigInt(rateScale - 4);
  return decimalOf((over(highest - lowest, lowest) + step / 2n) / step, 2);
}

function isAway(currency: Currency, priceCurrency: PriceCurrency, found: Found | null): boolean {
  if (!found || priceCurrency !== usDollar || !stableCoins.includes(currency)) return false;
  const [lower, upper] = found.units < one ? [found.units, one] : [one, found.units];
  return !agree(lower, upper);
}
