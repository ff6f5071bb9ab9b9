import { type FieldParser, invalid } from '../../kit/http/fields.ts';
import type { ShortTolerance } from '../integration.ts';

const twoDecimals = /^\d(?:[.]\d{1,2})?$/;
const dollars = /^(0|[1-9]\d{0,8})(?:[.](\d{1,2}))?$/;
const mostPercent = 5;

/** Reads `short_tolerance` of an integration's settings (contract.md#short-payments). */
export const shortToleranceParser: FieldParser<ShortTolerance | undefined> = (value) => {
  if (value === undefined) return undefined;
  const { percent, most } = (value ?? {}) as Partial<Record<keyof ShortTolerance, unknown>>;
  if (typeof percent !== 'number' || percent > mostPercent || !twoDecimals.test(String(percent))) {
    return invalid('short_tolerance', 'percent must be a number from 0 to 5 with at most two decimals');
  }
  const [, whole, cents = ''] = (typeof most === 'string' && dollars.exec(most)) || [];
  if (whole === undefined) {
    return invalid('short_tolerance', 'most must be US dollars as a string, such as "5.00"');
  }
  // Both decimals, so that one amount has one form.
  return { percent, most: `${whole}.${cents.padEnd(2, '0')}` };
};
