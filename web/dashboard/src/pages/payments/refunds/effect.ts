import { decimalsOf, isSome, minus, quotient } from '../../../format/decimals.ts';
import type { Refundable, RefundPrice } from './queries.ts';

/** What a refund takes from where, as decimals; null where the text is no amount that can be refunded. */
export type Effect = { own: string; business: string; balanceAfter: string };

const plainDecimal = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

const least = (one: string, other: string): string => (minus(one, other).startsWith('-') ? one : other);

/** An overpayment, or a token that was not asked for, is the customer's own and goes first; the rest is the business's. */
export function effectOf(
  amount: string,
  { amount: most, overpayment, wrong_token, available }: Refundable,
): Effect | null {
  if (!plainDecimal.test(amount) || !isSome(amount)) return null;
  if (minus(most, amount).startsWith('-')) return null;
  const theirs = isSome(wrong_token) ? most : overpayment;
  const own = least(amount, theirs);
  const business = minus(amount, own);
  return { own, business, balanceAfter: minus(available, business) };
}

/** What a part of a price is in the asset that is refunded, rounded down; `today` is null where there is no rate now. */
export type Converted = { amount: string; today: string | null };

/** Null where the text is no amount of the price's currency, or is worth less than the asset's smallest unit. */
export function convertedOf(
  part: string,
  { minor_digits, rate, rate_today }: RefundPrice,
  { scale }: Refundable,
): Converted | null {
  if (!plainDecimal.test(part) || decimalsOf(part) > minor_digits) return null;
  const amount = quotient(part, rate, scale);
  const today = rate_today === null ? null : quotient(part, rate_today, scale);
  return isSome(amount) ? { amount, today } : null;
}
