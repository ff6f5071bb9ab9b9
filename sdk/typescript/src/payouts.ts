import type { PayoutBatchInput, PayoutFilter, PayoutOrderInput } from './api-payouts.ts';
import type { CallOptions } from './exchange.ts';
import { everyItem } from './pages.ts';
import type { Call, WriteOptions } from './request.ts';

/** Money out of the business balance (contract.md#payouts). Each throws FlorinError; 403 for a key that may not. */
export function payoutCalls(call: Call) {
  const list = (filter: PayoutFilter = {}, options: CallOptions = {}) =>
    call('GET /payouts', { query: filter, ...options });

  return {
    /** Orders a payout. It is on its way once it needs no approval; a webhook says how it ended. With `dry_run: true` it is only judged. */
    create: (input: PayoutOrderInput, options: WriteOptions = {}) =>
      call('POST /payouts', { body: input, ...options }),

    /** Orders up to 500, all or none. With `dry_run: true` they are only judged. */
    createBatch: (input: PayoutBatchInput, options: WriteOptions = {}) =>
      call('POST /payouts/batch', { body: input, ...options }),

    /** One payout, by its id or its `payout_reference`. */
    get: (payout: string, options: CallOptions = {}) =>
      call('GET /payouts/{payout}', { path: [payout], ...options }),

    /** One page, newest first. */
    list,
    /** Every payout, newest first. */
    listAll: (filter: PayoutFilter = {}, options: CallOptions = {}) =>
      everyItem((page: PayoutFilter) => list(page, options), filter),

    /** Cancels a payout that is not being sent yet. */
    cancel: (payout: string, options: WriteOptions = {}) =>
      call('POST /payouts/{payout}/cancel', { path: [payout], ...options }),

    topUpAddresses: {
      /** The addresses whose deposits are the business's, without fee. */
      list: (options: CallOptions = {}) => call('GET /top-up-addresses', options),

      /** The address of one asset; it is made at the first call, and may be used for ever. */
      create: (asset: string, options: WriteOptions = {}) =>
        call('POST /top-up-addresses', { body: { asset }, ...options }),
    },

    /** What a payout costs in each asset, and whether it can be ordered now. */
    fees: (options: CallOptions = {}) => call('GET /payout-fees', options),
  };
}
