// What contract.md#prices, contract.md#fees and contract.md#short-payments say of the amounts of a payment, in whole numbers and
// from the contract alone, to be held against what customers were shown.

export const modelScale = { USDC: 6, USDT: 6, CSK: 6, PI: 7 } as const;
export type Coin = keyof typeof modelScale;

/** How many decimals people have to type. */
const typedDecimals: Readonly<Record<Coin, number>> = { USDC: 2, USDT: 2, CSK: 2, PI: 4 };

/** The decimals of a rate. */
export const rateDecimals = 12;

export type ModelTerms = {
  fee: { bps: number; fixed?: string; floor?: string; cap?: string };
  feePayer: 'merchant' | 'customer';
  shortTolerance: { percent: number; most: string };
  /** Basis points that are added to a price. */
  adjustment: number;
};

/** `minor`: the amount in the smallest units of its currency, which has so many `digits`. */
export type ModelPrice = { minor: bigint; digits: number; currency: string };

/** In the smallest units of the coin. */
export type ModelCharge = { amount: bigint; fee: bigint; due: bigint; tolerance: bigint };

/** What a customer was shown. `rate` has 12 decimals; `at` is when, in milliseconds. */
export type ModelQuote = ModelCharge & { coin: Coin; rate: bigint; at: number };

const ten = (power: number): bigint => 10n ** BigInt(power);
const roundUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
const roundHalfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** Units of a plain decimal. */
export function unitsAt(text: string, scale: number): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(scale, '0'));
}

/** A plain decimal of units. */
export function textAt(units: bigint, scale: number): string {
  const digits = `${units}`.padStart(scale + 1, '0');
  const decimals = digits.slice(digits.length - scale).replace(/0+$/, '');
  return digits.slice(0, digits.length - scale) + (scale > 0 && decimals ? `.${decimals}` : '');
}

/** What is charged for an amount of a coin of which one is worth `usd` (12 decimals). */
export function chargeOf(coin: Coin, amount: bigint, terms: ModelTerms, usd: bigint): ModelCharge {
  const scale = modelScale[coin];
  const { bps, fixed = '0', floor = '0', cap } = terms.fee;
  const wanted = roundHalfUp(amount * BigInt(bps), 10_000n) + unitsAt(fixed, scale);
  const least = unitsAt(floor, scale);
  const most = cap === undefined ? amount : unitsAt(cap, scale);
  const fee = [most, amount].reduce(
    (low, each) => (each < low ? each : low),
    wanted > least ? wanted : least,
  );
  const due = terms.feePayer === 'customer' ? amount + fee : amount;
  const { percent, most: dollars } = terms.shortTolerance;
  const part = (due * unitsAt(`${percent}`, 2)) / 10_000n;
  const worth = (unitsAt(dollars, 2) * ten(scale + rateDecimals)) / (100n * usd);
  return { amount, fee, due, tolerance: part < worth ? part : worth };
}

/** What a price comes to in a coin: the least that can be typed and is worth the price with its adjustment. */
export function quoteIn(
  coin: Coin,
  { minor, digits }: ModelPrice,
  terms: ModelTerms,
  { rate, usd, at }: { rate: bigint; usd: bigint; at: number },
): ModelQuote {
  const typed = typedDecimals[coin];
  const asked = minor * BigInt(10_000 + terms.adjustment) * ten(rateDecimals + typed);
  const steps = roundUp(asked, 10_000n * ten(digits) * rate);
  return { ...chargeOf(coin, steps * ten(modelScale[coin] - typed), terms, usd), coin, rate, at };
}

/** What units of a coin are worth at a rate, in the smallest units of a currency, half up. */
export function worthIn(coin: Coin, units: bigint, rate: bigint, digits: number): bigint {
  return roundHalfUp(units * rate * ten(digits), ten(modelScale[coin] + rateDecimals));
}

/** How many units at `scale` a part of a price buys at a rate: rounded down. */
export function bought({ minor, digits }: ModelPrice, rate: bigint, scale: number): bigint {
  return (minor * ten(rateDecimals + scale)) / (rate * ten(digits));
}
