import { isSome, minus } from '../../../format/decimals.ts';
import type { Refundable } from './queries.ts';

/** What a refund takes from where, as decimals; null where the text is no amount that can be refunded. */
export type Effect = { own: string; business: string; balanceAfter: string };

const least = (one: string, other: string): string => (minus(one, other).startsWith('-') ? one : other);

/** An overpayment, or a token that was not asked for, is the customer's own and goes first; the rest is the business's. */
export function effectOf(
  amount: string,
  { amount: most, overpayment, wrong_token, available }: Refundable,
): Effect | null {
  if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount) || !isSome(amount)) return null;
  if (minus(most, amount).startsWith('-')) return null;
  const theirs = isSome(wrong_token) ? most : overpayment;
  const own = least(amount, theirs);
  const business = minus(amount, own);
  return { own, business, balanceAfter: minus(available, business) };
}
