import type { Id } from '../../kit/ids.ts';
import type { PaymentId } from '../payment/payment.ts';

export type RefundId = Id<'refund'>;

/**
 * A refund waits for its customer, and then has the statuses of the payout that carries it. One whose payout fails or is
 * rejected waits for its customer again, so that the last two are never stored (contract.md#refunds). One of money at the
 * merchant's own address has no payout: it waits for the merchant's transfer (contract.md#direct).
 */
export const refundStatuses = [
  'awaiting_destination',
  'awaiting_approval',
  'awaiting_transfer',
  'queued',
  'sending',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** Where the units of a refund come from: they stand in `payable` until it is sent. */
export type RefundParts = { overpayment: bigint; business: bigint; fees: bigint; suspense: bigint };

/**
 * The transfer that a merchant is asked for: of a token, out of their own address, in a block after this one. Addresses are in
 * lower case.
 */
export type AskedTransfer = { chainId: number; token: string; from: string; after: bigint };

/** The signature by which the owner of an address that paid has chosen where the money goes back to. */
export type RefundProof = {
  /** The address that signed. */
  provedBy: string;
  statement: string;
  signature: string;
};

/** Money of a payment, in one asset, that goes back to its customer. Amounts are units at the asset's scale. */
export type Refund = {
  id: RefundId;
  paymentId: PaymentId;
  status: RefundStatus;
  asset: string;
  units: bigint;
  parts: RefundParts;
  /** Its money is at the merchant's own address, who sends it: no account holds anything for it. */
  isDirect: boolean;
  /** Of a direct one whose destination is known. */
  transfer: AskedTransfer | null;
  /** The name of the transfer that answered it; each answers one. */
  answeredBy: string | null;
  /** The end of an appeal made it: it cannot be cancelled, only the payout that carries it can. */
  isOwed: boolean;
  /** The person who made it, or who made the key that did; null: nobody of the business, or a key without a maker. */
  madeBy: string | null;
  /** It is above the daily limits of the key that made it: each payout that carries it needs a person's approval. */
  needsApproval: boolean;
  /** The same for all refunds that were ordered, and wait for approval, as one. */
  together: string | null;
  payoutId: string | null;
  to: string | null;
  memo: string | null;
  reason: string | null;
  /** The user whose wallet gets it back. */
  wallet: string | null;
  transaction: string | null;
  /** Why the last payout failed, or why it was cancelled. */
  failure: string | null;
  /** What holds its payout up; as it was when it was read. */
  heldUp: string | null;
  announcedAt: Date | null;
  /** When the customer was last mailed the link to claim it, and where to. */
  linkMailedAt: Date | null;
  linkMailedTo: string | null;
  proof: RefundProof | null;
  createdAt: Date;
  completedAt: Date | null;
};

/** The units that are the business's money; the rest is the customer's own. */
export const businessShare = ({ business, fees }: RefundParts): bigint => business + fees;

/** Whether money of it may still leave: it is not sent, and not cancelled. */
export const isUnsent = ({ status }: Pick<Refund, 'status'>): boolean =>
  status !== 'completed' && status !== 'cancelled';

/** The units in `payable` that unsent refunds have there, in one asset. */
export function unsentUnits(refunds: readonly Refund[], asset: string): bigint {
  return refunds
    .filter((refund) => refund.asset === asset && !refund.isDirect && isUnsent(refund))
    .reduce((sum, { units }) => sum + units, 0n);
}
