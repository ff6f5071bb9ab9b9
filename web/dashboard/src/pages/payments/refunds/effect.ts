import { decimalsOf, isSome, minus, quotient } from '../../../format/decimals.ts';
import type { Refundable, RefundPrice } from './queries.ts';

/** What a refund takes from where, as decimals; null where the text is no amount that can be refunded. */
export type Effect = { own: string; business: string; direct: string; balanceAfter: string };

const plainDecimal = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

const least = (one: string, other: string): string => (minus(one, other).startsWith('-') ? one : other);

/**
 * An overpayment, or a token that was not asked for, is the customer's own and goes first; then comes what is the business's,
 * and last what the business has at its own address, and sends from there.
 */
export function effectOf(
  amount: string,
  { amount: most, overpayment, wrong_token, direct: mostDirect, available }: Refundable,
): Effect | null {
  if (!plainDecimal.test(amount) || !isSome(amount)) return null;
  if (minus(most, amount).startsWith('-')) return null;
  const mostHeld = minus(most, mostDirect);
  const held = least(amount, mostHeld);
  const own = least(held, isSome(wrong_token) ? mostHeld : overpayment);
  const business = minus(held, own);
  return { own, business, direct: minus(amount, held), balanceAfter: minus(available, business) };
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
