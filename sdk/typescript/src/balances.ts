import type { BalanceEntryFilter, FundUserInput } from './api-balances.ts';
import type { CallOptions } from './exchange.ts';
import { everyItem } from './pages.ts';
import type { Call, WriteOptions } from './request.ts';

/** The calls on the business balance (contract.md#payments and #calls). Each throws FlorinError. */
export function balanceCalls(call: Call) {
  const list = (filter: BalanceEntryFilter = {}, options: CallOptions = {}) =>
    call('GET /balance-entries', { query: filter, ...options });

  return {
    /** Credits a user's wallet from the business balance, at once. 403 when the balance is too low. */
    fundUser: async (input: FundUserInput, options: WriteOptions = {}): Promise<void> => {
      await call('POST /payment/fund-user', { body: input, ...options });
    },

    users: {
      /** Whether a user of this name has a wallet. 404 `user_not_found` when none has. */
      get: (username: string, options: CallOptions = {}) =>
        call('GET /users/{username}', { path: [username], ...options }),
    },

    balances: {
      /** The balance of each asset. */
      list: (options: CallOptions = {}) => call('GET /balances', options),
    },

    balanceEntries: {
      /** One page of the ledger's lines, newest first. */
      list,
      /** Every line of the ledger, newest first. */
      listAll: (filter: BalanceEntryFilter = {}, options: CallOptions = {}) =>
        everyItem((page: BalanceEntryFilter) => list(page, options), filter),
    },
  };
}
