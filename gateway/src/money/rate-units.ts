import { rateScale } from './rates.ts';

/** Rates are counted in whole units at `rateScale` decimals, and rounded half up there. */
const one = 10n ** BigInt(rateScale);

const plainDecimal = /^(0|[1-9]\d{0,29})(?:\.(\d{1,60}))?$/;

/** Units of a plain decimal, rounded; null: it is none, or nothing is left of it. */
export function unitsOfRate(text: string): bigint | null {
  const [, whole, decimals = ''] = plainDecimal.exec(text) ?? [];
  if (whole === undefined) return null;
  const kept = decimals.slice(0, rateScale).padEnd(rateScale, '0');
  const up = (decimals[rateScale] ?? '0') >= '5' ? 1n : 0n;
  const units = BigInt(whole + kept) + up;
  return units > 0n ? units : null;
}

/** `a` for one of something, each of which is worth `b`. */
export const times = (a: bigint, b: bigint): bigint => half(a * b, one);

/** How many of `b` one of `a` is worth, both in the same currency. */
export const over = (a: bigint, b: bigint): bigint => half(a * one, b);

/** The middle of two rates. */
export const between = (a: bigint, b: bigint): bigint => half(a + b, 2n);

/**
 * What units at `scale` are worth at a rate, in units at `digits`, such as the minor units of a price currency; half up,
 * away from zero.
 */
export function worthAt(units: bigint, scale: number, rate: bigint, digits: number): bigint {
  const positive = units < 0n ? -units : units;
  const worth = half(positive * rate * 10n ** BigInt(digits), 10n ** BigInt(scale + rateScale));
  return units < 0n ? -worth : worth;
}

function half(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}
