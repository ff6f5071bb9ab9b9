import { everyItem } from './pages.ts';
import type { Request, WriteOptions } from './request.ts';
import type {
  CreatedPayment,
  Page,
  Payment,
  PaymentFilter,
  PaymentInfo,
  PaymentInput,
  PaymentSummary,
} from './types.ts';

/** The calls on payments (contract.md 2 and 7). Each throws FlorinError. */
export function paymentCalls(request: Request) {
  const pathOf = (reference: string) => `/payments/${encodeURIComponent(reference)}`;
  const list = (filter: PaymentFilter = {}) =>
    request<Page<PaymentSummary>>({ method: 'GET', path: '/payments', query: filter });

  return {
    /**
     * Creates a payment. Keep `PaymentData.payment_reference`, then redirect the customer to `PaymentURL`.
     * Derive `idempotencyKey` from your order, and a repeated call gives the same payment.
     */
    create: (input: PaymentInput, options: WriteOptions = {}) =>
      request<CreatedPayment>({ method: 'PUT', path: '/payment/create', body: input, ...options }),

    /** The short record of one payment: status and amount. */
    info: (reference: string) =>
      request<PaymentInfo>({ method: 'GET', path: `/payment/info/${encodeURIComponent(reference)}` }),

    /** One page of payments, newest first. */
    list,

    /** Every payment that fits the filter, newest first: `for await (const payment of ...)`. */
    listAll: (filter: PaymentFilter = {}) => everyItem(list, filter),

    /** Everything known of one payment, its transfers and its timeline included. */
    get: (reference: string) => request<Payment>({ method: 'GET', path: pathOf(reference) }),

    /** Cancels a payment that nobody has paid to yet; 409 afterwards. */
    cancel: (reference: string, options: WriteOptions = {}) =>
      request<Payment>({ method: 'POST', path: `${pathOf(reference)}/cancel`, ...options }),
  };
}
