import type { ShortTolerance } from '../../identity/integration.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { unitsOfDecimal, unitsOfNumber } from '../../money/money.ts';
import { rateScale, rateUnits } from '../../money/rates.ts';

const twoDecimals = 2;

/** The tolerance of an integration with the percent of one payment in place of its own; null: it has none. */
export const ownTolerance = (
  { shortTolerance }: { shortTolerance: ShortTolerance },
  percent: number | null,
): ShortTolerance => (percent === null ? shortTolerance : { ...shortTolerance, percent });

/**
 * How much less than `due` completes a payment, in units of its currency: the smaller one of a part of `due` and of what
 * `most` US dollars buy, each rounded down (contract.md#short-payments). `usd` is US dollars for one unit of the currency;
 * without a rate nothing may be missing.
 */
export function toleranceOf(
  { percent, most }: ShortTolerance,
  { due, currency }: { due: bigint; currency: Currency },
  usd: string | null,
): bigint {
  if (percent === 0 || usd === null) return 0n;
  const rate = rateUnits(usd) ?? 0n;
  if (rate <= 0n) return 0n;
  const hundredths = unitsOfNumber(percent, twoDecimals);
  const cents = unitsOfDecimal(most, twoDecimals);
  if (typeof hundredths !== 'bigint' || cents === null) return 0n;
  const part = (due * hundredths) / 10_000n;
  const scale = BigInt(currencyScale[currency] + rateScale);
  const worth = (cents * 10n ** scale) / (100n * rate);
  return part < worth ? part : worth;
}
