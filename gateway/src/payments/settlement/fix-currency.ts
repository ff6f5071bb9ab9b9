import type { Payment } from '../payment/payment.ts';
import type { Quote } from '../prices/quote.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { movesStatus } from './decide.ts';
import { lateUntilOf } from './moves.ts';
import { dueUnits, fineUnits, isOfCurrency } from './received.ts';
import type { TransferRow } from './transfer.ts';

/** A payment as it is paid by this quote. The late window of one that was abandoned follows from the currency. */
export function chargedBy(payment: Payment, quote: Quote): Payment {
  const { currency, amount, fee, amountDue, tolerance, rate } = quote;
  const charged: Payment = { ...payment, currency, amount, fee, amountDue, tolerance, rate };
  return payment.reason === 'abandoned' ? { ...charged, lateUntil: lateUntilOf(charged) } : charged;
}

/**
 * The first transfer of at least a thousandth in a quoted currency fixes the currency of a priced payment: from then on it
 * is paid by the quote of that one, and transfers in others do not count (contract.md#prices). It is asked for each
 * transfer that was just changed.
 */
export function fixCurrency(changes: Changes<ChangeDeps>, transfer: TransferRow): void {
  const id = transfer.payment_id;
  const payment = changes.payment(id);
  const quotes = changes.quotesOf(id);
  if (quotes.length < 2 || payment.completedAt !== null) return;
  const quote = quotes.find((each) => fixes(changes, transfer, each));
  if (!quote || quote.currency === payment.currency || isFixed(changes, id, transfer)) return;
  changes.changePayment({ ...chargedBy(payment, quote), method: transfer.asset });
}

/** Whether the present currency of a priced payment was fixed by a transfer, other than by `except`. */
export function isFixed(changes: Changes<ChangeDeps>, id: string, except?: TransferRow): boolean {
  const { currency } = changes.payment(id);
  const quote = changes.quotesOf(id).find((each) => each.currency === currency);
  if (!quote) return false;
  return changes.transfersOf(id).some((each) => each !== except && fixes(changes, each, quote));
}

function fixes({ deps: { assets } }: Changes<ChangeDeps>, transfer: TransferRow, quote: Quote): boolean {
  return isOfCurrency(assets, quote, transfer) && movesStatus(fineUnits(assets, transfer), dueUnits(quote));
}
