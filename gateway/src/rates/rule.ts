import { between, times } from '../money/rate-units.ts';

/** What one source said of a pair, in units of a rate, and when. */
export type Said = { source: string; units: bigint; at: Date };

/** A rate that an operator typed. */
type Typed = { units: bigint; at: Date; endsAt: Date };

export type PairFacts = { said: readonly Said[]; typed: Typed | null };

/** All that the rate of a coin in a price currency follows from. */
export type RateFacts = {
  direct: PairFacts;
  /** The coin in USD, and USD in the price currency; null: the price is in USD. */
  throughUsd: { coin: PairFacts; fiat: PairFacts } | null;
  /** How many configured sources say what coins are worth: a single one is enough where there is no other. */
  coinSources: number;
};

/** Why there is no rate: no answer is fresh enough; one source stands alone; two groups of sources disagree; no cross. */
export const noRates = ['silent', 'alone', 'split', 'uncrossed'] as const;
export type NoRate = (typeof noRates)[number];

/** A rate with what it follows from; `leg`: the sources spoke of another pair, by which the rate was crossed. */
export type Found = {
  units: bigint;
  at: Date;
  sources: (Said & { leg: 'direct' | 'coin' | 'fiat' })[];
};

export type Ruling = { found: Found; why: null } | { found: null; why: NoRate };

/** The source of a rate that an operator typed. */
export const typedSource = 'operator';

/** How old an answer may be that a rate of a coin follows from, and one of two price currencies. */
export const coinSeconds = 120;
export const fiatSeconds = 96 * 3600;

/** True where the larger of two rates is at most 2 % above the smaller. */
export const agree = (smaller: bigint, larger: bigint): boolean => larger * 100n <= smaller * 102n;

/**
 * The rate of a coin in a price currency (contract.md#prices). A typed one comes first; then the median of the largest
 * group of sources that agree; then the cross through USD. Sources that disagree about the pair itself are not passed
 * over by a cross.
 */
export function rateBy({ direct, throughUsd, coinSources }: RateFacts, now: Date): Ruling {
  const least = coinSources === 1 ? 1 : 2;
  const straight = pairRate(direct, least, now);
  if (straight.found || straight.why === 'split' || !throughUsd) return straight;
  const coin = pairRate(throughUsd.coin, least, now);
  if (!coin.found) return straight.why === 'alone' ? straight : coin;
  const fiat = agreed(throughUsd.fiat.said, { leg: 'fiat', seconds: fiatSeconds, least: 1 }, now);
  if (!fiat.found) return { found: null, why: fiat.why === 'split' ? 'split' : 'uncrossed' };
  const units = times(coin.found.units, fiat.found.units);
  if (units === 0n) return { found: null, why: 'uncrossed' };
  const ofCoin = coin.found.sources.map((said) => ({ ...said, leg: 'coin' as const }));
  return {
    found: { units, at: coin.found.at, sources: [...ofCoin, ...fiat.found.sources] },
    why: null,
  };
}

function pairRate({ said, typed }: PairFacts, least: number, now: Date): Ruling {
  if (typed && typed.at <= now && now < typed.endsAt) {
    const { units, at } = typed;
    return { found: { units, at, sources: [{ source: typedSource, units, at, leg: 'direct' }] }, why: null };
  }
  return agreed(said, { leg: 'direct', seconds: coinSeconds, least }, now);
}

type Terms = { leg: 'direct' | 'fiat'; seconds: number; least: number };

/**
 * The median of the largest group of fresh answers that agree. Where several groups are the largest, those that share a
 * source are one; two that share none disagree.
 */
function agreed(said: readonly Said[], { leg, seconds, least }: Terms, now: Date): Ruling {
  const oldest = now.getTime() - seconds * 1000;
  const fresh = said.filter(({ at, units }) => at.getTime() >= oldest && units > 0n);
  // A source counts once, by its newest answer.
  const bySource = new Map(fresh.sort((a, b) => +a.at - +b.at).map((each) => [each.source, each]));
  const sorted = [...bySource.values()].sort((a, b) => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0));
  if (sorted.length === 0) return { found: null, why: 'silent' };
  let size = 0;
  let first = 0;
  let last = 0;
  let start = 0;
  sorted.forEach(({ units }, end) => {
    while (!agree(sorted[start]?.units ?? 0n, units)) start += 1;
    const length = end - start + 1;
    if (length > size) [size, first] = [length, start];
    if (length === size) last = start;
  });
  if (size < least) return { found: null, why: sorted.length === 1 ? 'alone' : 'split' };
  if (last >= first + size) return { found: null, why: 'split' };
  const group = sorted.slice(first, last + size).map((each) => ({ ...each, leg }));
  return { found: { units: median(group), at: newest(group), sources: group }, why: null };
}

function median(group: readonly Said[]): bigint {
  const upper = group[group.length >> 1]?.units ?? 0n;
  const lower = group[(group.length - 1) >> 1]?.units ?? 0n;
  return between(lower, upper);
}

const newest = (group: readonly Said[]): Date =>
  group.reduce((last, { at }) => (at > last ? at : last), new Date(0));
