import { type PaymentRequest, requestWords } from '../../rails/evm/requests/payment-request.ts';
import type { Destination } from '../../rails/rail.ts';
import { type ChargedPayment, decimal, isCharged, type Payment } from './payment.ts';

/** What a customer is asked to send to an address of the payment on an EVM chain, and the words of it (contract.md#direct). */
export function requestOf(
  payment: ChargedPayment,
  { chainId, address: to, asset }: { chainId: number; address: string; asset: string },
): { request: PaymentRequest; words: string } {
  const { reference, amountDue } = payment;
  const known = { chainId, to, asset, amount: decimal(payment, amountDue), reference };
  const deadline = Math.floor(payment.deadline.getTime() / 1000);
  return { request: { ...known, deadline }, words: requestWords(known) };
}

/** The words that the page shows beside an address: where its money goes to the shop's own, which the shop can recompute. */
export function wordsAt(
  payment: Payment,
  { isDirect, evm, asset, address }: Destination,
): { words?: string } {
  if (!isDirect || !evm || !isCharged(payment)) return {};
  return { words: requestOf(payment, { chainId: evm.chainId, asset, address }).words };
}
