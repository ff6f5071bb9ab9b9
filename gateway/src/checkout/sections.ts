/** The page's calls that are made by a plain form (contract.md#page). */
export type FormAction =
  | 'method'
  | 'wallet'
  | 'claim'
  | 'cancel'
  | 'simulate'
  | 'dispute'
  | 'message'
  | 'refund'
  | 'receipt'
  | 'faucet'
  | 'enough';

/** What a page may offer beside the state, the addresses and the order: its forms, and what its script does by itself. */
export type Section = FormAction | 'browser-wallet' | 'pi' | 'countdown';

/** The page on its own. */
export const wholePage: readonly Section[] = [
  ...(['method', 'wallet', 'claim', 'cancel', 'simulate', 'dispute', 'message', 'refund'] as const),
  ...(['receipt', 'faucet', 'enough', 'browser-wallet', 'pi', 'countdown'] as const),
];

/** The page that an invoice's id opens: whoever has it pays, and does nothing else (contract.md#btcpay). */
export const payingPage: readonly Section[] = [
  ...(['method', 'wallet', 'simulate', 'receipt', 'faucet', 'enough'] as const),
  ...(['browser-wallet', 'pi', 'countdown'] as const),
];

/**
 * The page in a frame of a shop: a click that the page around it has led there moves no money and gives no right
 * (contract.md#frames).
 */
export const framePage: readonly Section[] = ['method', 'simulate'];
