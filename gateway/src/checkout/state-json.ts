import { safeUrl } from '../kit/http/html.ts';
import type { CheckoutDestination, CheckoutPayment } from './checkout-payment.ts';

/** The answer of `GET {pay_url}/state` and the data of its stream (contract.md 9). Amounts are decimal strings. */
export type StateJson = {
  payment_status: CheckoutPayment['status'];
  amount: string;
  currency: string;
  fee_payer: CheckoutPayment['feePayer'];
  amount_due: string;
  amount_received: string;
  deadline: string;
  destinations: CheckoutDestination[];
  transfers: { transaction: string; amount: string; confirmations: number; needed: number }[];
  return_url?: string;
  sequence: number;
};

/** The state of a payment as JSON. It has `return_url` only once the payment has ended. */
export function stateOf(view: CheckoutPayment): StateJson {
  const returnUrl = returnUrlOf(view);
  return {
    payment_status: view.status,
    amount: view.amount,
    currency: view.currency,
    fee_payer: view.feePayer,
    amount_due: view.amountDue,
    amount_received: view.amountReceived,
    deadline: view.deadline.toISOString(),
    destinations: view.destinations.map(({ asset, network, address, memo, amount }) => ({
      asset,
      network,
      address,
      memo,
      amount,
    })),
    transfers: view.transfers
      .filter((transfer) => transfer.state !== 'gone')
      .map(({ transaction, amount, confirmations, needed }) => ({
        transaction,
        amount,
        confirmations,
        needed,
      })),
    ...(returnUrl && { return_url: returnUrl.href }),
    sequence: view.version,
  };
}

/**
 * Where the customer returns to: the success address of a completed payment, the failure address of a failed
 * or cancelled one, else null. No other code chooses between them, so an unpaid payment never leads to success.
 */
export function returnUrlOf(view: CheckoutPayment): URL | null {
  if (view.status === 'completed') return safeUrl(view.successUrl);
  if (view.status === 'failed' || view.status === 'cancelled') return safeUrl(view.failureUrl);
  return null;
}
