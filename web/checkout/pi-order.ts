/** The payment to ask Pi for, as the server wrote it into the page. */
export type PiOrder = {
  /** Names the payment among all of this origin. */
  payment: string;
  /** In PI: the server offers only amounts that a number denotes exactly. */
  amount: number;
  memo: string;
  sdkUrl: string;
  sandbox: boolean;
  /** Inside the Pi Browser; elsewhere the SDK is loaded when it is asked for. */
  loadsAtOnce: boolean;
  /** How long Pi and the gateway may take for an answer. */
  patienceMs: number;
  /** Below this path the gateway hears of what the SDK tells. */
  calls: string;
  /** What names the payment in each of these calls. */
  fields: { reference: string; app: string; token: string; lang: string };
  /** Transactions that the gateway has seen for the payment. */
  seen: string[];
  words: Record<PiWord, string>;
};

/** What is said, in the page's language; names in braces are filled in here. */
export type PiWord =
  | 'opening'
  | 'earlier'
  | 'earlierOpen'
  | 'approving'
  | 'confirming'
  | 'notLoaded'
  | 'noAnswer'
  | 'notApproved'
  | 'refused'
  | 'otherPaid'
  | 'otherOpen'
  | 'unmatched'
  | 'declined'
  | 'trouble'
  | 'sent';

export function piOrderOf(part: HTMLElement): PiOrder {
  return JSON.parse(part.dataset.order ?? '') as PiOrder;
}
