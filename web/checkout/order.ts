/** The transfer to request from a wallet, as the server wrote it into the page. */
export type Order = {
  /** Identifies the payment among all payments of this origin. */
  payment: string;
  to: string;
  /** Decimal digits, at the token's scale. */
  units: string;
  currency: string;
  chainId: number;
  chainName: string;
  token: string;
  scale: number;
  nativeSymbol: string;
  publicRpcUrl: string | null;
  explorer: string | null;
  /** Transactions that the gateway has seen for the payment. */
  seen: string[];
  /** From when on after it was sent a transfer takes longer than usual. */
  lateAfterMs: number;
  words: Record<Word, string>;
};

/** The texts of the part, in the page's language. This script fills in the names in braces. */
export type Word =
  | 'pay'
  | 'payWith'
  | 'unnamed'
  | 'none'
  | 'choose'
  | 'connecting'
  | 'switching'
  | 'checking'
  | 'confirming'
  | 'wrongNetwork'
  | 'tooLittle'
  | 'noGas'
  | 'declined'
  | 'unanswered'
  | 'trouble'
  | 'sentTitle'
  | 'sentLead'
  | 'sentSince'
  | 'sentUsual'
  | 'notThrough'
  | 'notThroughLead'
  | 'requested'
  | 'reverted'
  | 'show'
  | 'again'
  | 'againWarning'
  | 'againButton';

export function orderOf(part: HTMLElement): Order {
  return JSON.parse(part.dataset.order ?? '') as Order;
}
