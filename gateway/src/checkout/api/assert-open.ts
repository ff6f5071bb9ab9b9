import { kitErrors, refuse } from '../../kit/errors.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { payingPage } from '../sections.ts';

/** Throws `not_found` for a form that the page of an invoice's id does not have (contract.md#btcpay). */
export function assertOpen({ paysOnly }: CheckoutPayment, form: string): void {
  if (paysOnly && !payingPage.some((each) => each === form)) throw refuse(kitErrors.not_found);
}
