import { type FieldParser, invalid } from '../../kit/http/fields.ts';
import { decimalOf, unitsOfDecimal, unitsOfNumber } from '../../money/money.ts';
import type { ShortTolerance } from '../integration.ts';

const percentScale = 2;
const centScale = 2;
const mostPercent = 5n * 10n ** BigInt(percentScale);
const mostDigits = 12;

/** The percent of a tolerance in hundredths; null where it is no number from 0 to 5 with two decimals. */
export function percentHundredths(percent: unknown): bigint | null {
  if (percent === 0) return 0n;
  const units = unitsOfNumber(percent, percentScale);
  return typeof units === 'bigint' && units <= mostPercent ? units : null;
}

/** The most of a tolerance in US cents; null where it is no decimal with two decimals. */
export function mostCents(most: unknown): bigint | null {
  return typeof most === 'string' && most.length <= mostDigits ? unitsOfDecimal(most, centScale) : null;
}

/** Reads `short_tolerance` of an integration's settings (contract.md#short-payments). */
export const shortToleranceParser: FieldParser<ShortTolerance | undefined> = (value) => {
  if (value === undefined) return undefined;
  const { percent, most } = (value ?? {}) as Partial<Record<keyof ShortTolerance, unknown>>;
  const hundredths = percentHundredths(percent);
  if (hundredths === null) {
    return invalid('short_tolerance', 'percent must be a number from 0 to 5 with at most two decimals');
  }
  const cents = mostCents(most);
  if (cents === null) {
    return invalid('short_tolerance', 'most must be US dollars as a string, such as "5.00"');
  }
  return { percent: Number(hundredths) / 10 ** percentScale, most: dollars(cents) };
};

/** Cents as dollars with both decimals, so that one amount has one form. */
function dollars(cents: bigint): string {
  const [whole, decimals = ''] = decimalOf(cents, centScale).split('.');
  return `${whole}.${decimals.padEnd(centScale, '0')}`;
}
