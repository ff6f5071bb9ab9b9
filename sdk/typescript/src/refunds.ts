import type { RefundInput } from './api-refunds.ts';
import type { CallOptions } from './exchange.ts';
import type { Call, WriteOptions } from './request.ts';

/** Refunds of payments (contract.md#refunds). Each throws FlorinError; 403 for a key that may not. */
export function refundCalls(call: Call) {
  return {
    /**
     * Refunds a payment: an overpayment first, the rest out of the business balance. A webhook says how it ended. With
     * `dry_run: true` it is only judged.
     */
    create: (reference: string, input: RefundInput = {}, options: WriteOptions = {}) =>
      call('POST /payments/{payment_reference}/refunds', { path: [reference], body: input, ...options }),

    /** The refunds of a payment, oldest first. */
    list: (reference: string, options: CallOptions = {}) =>
      call('GET /payments/{payment_reference}/refunds', { path: [reference], ...options }),

    /** Cancels a refund that is not being sent yet; its money goes back where it came from. */
    cancel: (reference: string, refund: string, options: WriteOptions = {}) =>
      call('POST /payments/{payment_reference}/refunds/{id}/cancel', {
        path: [reference, refund],
        ...options,
      }),
  };
}
