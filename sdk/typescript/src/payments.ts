import type { CreatedPayment, PaymentFilter, PaymentInput } from './api-payments.ts';
import type { CallOptions } from './exchange.ts';
import { findLostPayment } from './lost-payment.ts';
import { everyItem } from './pages.ts';
import type { Call, Send, WriteOptions } from './request.ts';

/** A payment, and whether an earlier call had made it already. */
export type CreateResult = CreatedPayment & { replayed: boolean };

/** The calls on payments (contract.md#payments and #calls). Each throws FlorinError. */
export function paymentCalls(call: Call, send: Send) {
  const list = (filter: PaymentFilter = {}, options: CallOptions = {}) =>
    call('GET /payments', { query: filter, ...options });

  return {
    /**
     * Creates a payment. Keep `PaymentData.payment_reference`, then redirect the customer to `PaymentURL`.
     * Derive `idempotencyKey` from your order, and a repeated call gives the same payment, with `replayed: true`.
     */
    create: async (input: PaymentInput, options: WriteOptions = {}): Promise<CreateResult> => {
      try {
        const { data, replayed } = await send('PUT /payment/create', { body: input, ...options });
        return { ...data, replayed };
      } catch (error) {
        const found = await findLostPayment(call, input, error, options);
        if (found) return { ...found, replayed: true };
        throw error;
      }
    },

    /** The short record of one payment: status and amount. */
    info: (reference: string, options: CallOptions = {}) =>
      call('GET /payment/info/{payment_reference}', { path: [reference], ...options }),

    /** One page of payments, newest first. */
    list,

    /** Every payment that fits the filter, newest first: `for await (const payment of ...)`. */
    listAll: (filter: PaymentFilter = {}, options: CallOptions = {}) =>
      everyItem((page: PaymentFilter) => list(page, options), filter),

    /** All details of one payment, with its transfers, timeline and refunds. */
    get: (reference: string, options: CallOptions = {}) =>
      call('GET /payments/{payment_reference}', { path: [reference], ...options }),
    /** By what the addresses of a payment follow, so that you can recompute them. */
    destinations: (reference: string, options: CallOptions = {}) =>
      call('GET /payments/{payment_reference}/destinations', { path: [reference], ...options }),

    /** Cancels a payment that nobody has paid to yet; 409 afterwards. */
    cancel: (reference: string, options: WriteOptions = {}) =>
      call('POST /payments/{payment_reference}/cancel', { path: [reference], ...options }),
  };
}
