import type { LinkFilter, PaymentLinkInput } from './api-payment-links.ts';
import type { CallOptions } from './exchange.ts';
import { everyItem } from './pages.ts';
import type { Call, WriteOptions } from './request.ts';

/** The calls on payment links. Each throws FlorinError. */
export function paymentLinkCalls(call: Call) {
  const list = (filter: LinkFilter = {}, options: CallOptions = {}) =>
    call('GET /payment-links', { query: filter, ...options });
  const update = (id: string, change: { active: boolean }, options: WriteOptions = {}) =>
    call('PATCH /payment-links/{id}', { path: [id], body: change, ...options });

  return {
    /** Makes a link. Its `url` is where customers pay, as often as it takes payments. */
    create: (input: PaymentLinkInput, options: WriteOptions = {}) =>
      call('POST /payment-links', { body: input, ...options }),

    get: (id: string, options: CallOptions = {}) =>
      call('GET /payment-links/{id}', { path: [id], ...options }),

    /** One page of links, newest first. */
    list,

    /** Every link, newest first. */
    listAll: (filter: LinkFilter = {}, options: CallOptions = {}) =>
      everyItem((page: LinkFilter) => list(page, options), filter),

    /** Stops a link, so that it takes no more payments, or lets it take payments again. */
    update,
  };
}
