import { everyItem } from './pages.ts';
import type { Request, WriteOptions } from './request.ts';
import type { Balance, BalanceEntry, FundUserInput, Page, PageFilter } from './types.ts';

type EntryFilter = PageFilter & { asset?: string };

/** The calls on the business balance (contract.md 2 and 7). Each throws FlorinError. */
export function balanceCalls(request: Request) {
  const listEntries = (filter: EntryFilter = {}) =>
    request<Page<BalanceEntry>>({ method: 'GET', path: '/balance-entries', query: filter });

  return {
    /** Credits a user's wallet from the business balance, at once. 403 when the balance is too low. */
    fundUser: async (input: FundUserInput, options: WriteOptions = {}): Promise<void> => {
      await request({ method: 'POST', path: '/payment/fund-user', body: input, ...options });
    },

    balances: {
      /** The balance of each asset. */
      list: () => request<Page<Balance>>({ method: 'GET', path: '/balances' }),
    },

    balanceEntries: {
      /** One page of the ledger's lines, newest first. */
      list: listEntries,
      /** Every line of the ledger, newest first. */
      listAll: (filter: EntryFilter = {}) => everyItem(listEntries, filter),
    },
  };
}
