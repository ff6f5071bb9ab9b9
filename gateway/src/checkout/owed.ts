import type { AddressRule } from '../payments/refunds/claim.ts';
import type { RefundProof } from '../payments/settlement/refund.ts';
import type { PlainNotice } from './notices.ts';

/** The states of a refund, as merchants see them too (contract.md#refunds). */
export type RefundStatus =
  | 'awaiting_destination'
  | 'awaiting_approval'
  | 'awaiting_transfer'
  | 'queued'
  | 'sending'
  | 'completed'
  | 'cancelled'
  | 'rejected'
  | 'failed';

/** The message of each. */
export const refundWords = {
  awaiting_destination: 'refundAwaitingDestination',
  awaiting_approval: 'refundAwaitingApproval',
  awaiting_transfer: 'refundAwaitingTransfer',
  queued: 'refundQueued',
  sending: 'refundSending',
  completed: 'refundCompleted',
  cancelled: 'refundCancelled',
  rejected: 'refundRejected',
  failed: 'refundFailed',
} as const satisfies Record<RefundStatus, string>;

/** A refund of the payment. `amount` is a decimal string of `asset`. */
export type RefundLine = {
  id: string;
  status: RefundStatus;
  asset: string;
  network: string;
  currency: string;
  amount: string;
  to: string | null;
  memo: string | null;
  transaction: string | null;
  /** The transaction in the block explorer of its network; null without an explorer. */
  explorerUrl: string | null;
};

/** What the customer may claim in one asset. `amount` is a decimal string of it. */
export type OwedLine = {
  /** The refund that waits for an address; null: an overpayment of which no refund exists yet. */
  refundId: string | null;
  asset: string;
  network: string;
  currency: string;
  amount: string;
  /** The same in units. */
  units: bigint;
  /** Whether the network has memos, which exchanges ask for. */
  hasMemo: boolean;
  /** The addresses on EVM chains that it came from. A claim signed by their owner needs no confirmation. */
  signers: string[];
  /** The minimum of a payout, as a decimal string, if this amount is less and cannot be sent; else null. */
  belowMinimum: string | null;
  /** The rule for an address other than the sender's that is not signed for: the merchant must confirm it, or it is refused. */
  otherAddress: AddressRule;
};

/** A claim as the customer filled it in, shown once more before it is sent. */
export type ClaimDraft = {
  line: OwedLine;
  to: string;
  memo: string;
  /** Why it cannot be sent so; null: it is for the customer to confirm. */
  fault: PlainNotice | null;
  /** The address is the one that the money came from. It may belong to an exchange, not to the customer. */
  isSender: boolean;
  /** There is a contract at the address; null: not known. */
  isContract: boolean | null;
  /** What the customer may sign, so that the merchant need not confirm; null: nothing, or no confirmation is needed. */
  proof: ClaimProof | null;
};

export type ClaimProof = {
  statement: string;
  /** As the customer entered it; empty: none. */
  signature: string;
  /** What it proves; null: nothing. */
  proved: RefundProof | null;
};
