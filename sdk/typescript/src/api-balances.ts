// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`, `usdt-bep20` ... */
export type FundUserInput = {
  /** Who receives the money. */
  username: string;
  /** In the currency itself. */
  amount: number;
  /** An asset code in lower case, such as pi or usdt-bep20; in test mode also one of a test network. */
  currency: string;
};

/** The business balance in one asset; decimal strings. `held` waits for the answer of another system. */
export type Balance = {
  asset: string;
  available: string;
  held: string;
};

/** Which lines of the ledger, and which page. */
export type BalanceEntryFilter = {
  asset?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** A line of the ledger with what caused it; `amount` is a signed decimal string. */
export type BalanceEntry = {
  id: string;
  asset: string;
  amount: string;
  cause: string;
  cause_id: string | null;
  value: string | null;
  value_currency: string | null;
  created_at: string;
};
