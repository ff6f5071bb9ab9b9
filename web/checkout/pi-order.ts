/** The payment to request from Pi, as the server wrote it into the page. */
export type PiOrder = {
  /** Identifies the payment among all payments of this origin. */
  payment: string;
  /** In PI. The server offers only amounts that a number represents exactly. */
  amount: number;
  memo: string;
  sdkUrl: string;
  sandbox: boolean;
  /** True inside the Pi Browser. Elsewhere the SDK is loaded when the button is pressed. */
  loadsAtOnce: boolean;
  /** How long Pi and the gateway may each take to answer. */
  timeoutMs: number;
  /** Below this path are the calls that report the SDK's callbacks to the gateway. */
  calls: string;
  /** The fields that identify the payment in each of these calls. */
  fields: { reference: string; app: string; token: string; lang: string };
  /** Transactions that the gateway has seen for the payment. */
  seen: string[];
  words: Record<PiWord, string>;
};

/** The texts of the part, in the page's language. This script fills in the names in braces. */
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
  | 'sentTitle'
  | 'sentLead';

export function piOrderOf(part: HTMLElement): PiOrder {
  return JSON.parse(part.dataset.order ?? '') as PiOrder;
}
