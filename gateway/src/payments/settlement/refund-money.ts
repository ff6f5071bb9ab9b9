import { newId } from '../../kit/ids.ts';
import type { Party } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { recordRefundEvent } from './events.ts';
import type { NewLeg } from './legs.ts';
import { isOfCurrency } from './received.ts';
import type { Refund, RefundParts } from './refund.ts';
import { isSettled } from './settle.ts';

// The units of a refund are in `payable` from when it is made until it is sent: its parts are moved there, and go back
// where they came from if it ends unsent.

export type NewRefund = Pick<Refund, 'asset' | 'parts' | 'isOwed' | 'reason'> & {
  /** The person who asks for it, or who made the key that does. */
  madeBy?: string | null;
  together?: string | null;
  /** The user whose wallet gets it back: by a payout, or at once where an appeal has decided it. */
  wallet?: string | null;
  isAtOnce?: boolean;
};

/**
 * Makes a refund of a payment, which waits for its destination, and moves its parts. Where the business lacks its part the
 * transaction is refused (`insufficient_balance`). The caller records its event `refund_created`.
 */
export function makeRefund(changes: Changes, paymentId: string, wanted: NewRefund): Refund {
  const { asset, parts, isOwed, reason, isAtOnce = false } = wanted;
  const now = changes.deps.now();
  const payment = changes.payment(paymentId);
  const { integrationId: owner } = payment;
  const { madeBy = null, together = null, wallet = null } = wanted;
  const refund: Refund = {
    ...{ id: newId<'refund'>(now), paymentId: payment.id, asset, units: unitsOf(parts), parts, isOwed },
    ...{ madeBy, needsApproval: false, together, reason, wallet, createdAt: now, ...unsent },
    ...{ status: isAtOnce ? 'completed' : 'awaiting_destination', completedAt: isAtOnce ? now : null },
  };
  const payable: Party = { kind: 'payable', owner };
  const taken = { asset, credit: payable, ifShort: 'refused' } as const;
  changes.post(paymentId, [
    // Its id is the refund's, so that a line of the business's books leads to the refund.
    {
      ...taken,
      id: refund.id,
      units: parts.business,
      debit: { kind: 'business', owner },
      cause: 'refund_taken',
    },
    { ...taken, units: parts.fees, debit: feeAccount, cause: 'refund_fee_returned' },
    { ...taken, units: parts.suspense, debit: { kind: 'suspense', owner }, cause: 'refund_owed' },
  ]);
  if (isAtOnce && wallet !== null) {
    const user: Party = { kind: 'user', owner: wallet };
    const sent = { asset, units: refund.units, debit: payable, credit: user, cause: 'refund_sent' };
    changes.post(paymentId, [sent], { owner: wallet, assets: [asset] });
  }
  changes.changeRefund(refund);
  if (!payment.hasRefunds) changes.changePayment({ ...payment, hasRefunds: true });
  return refund;
}

const unitsOf = ({ overpayment, business, fees, suspense }: RefundParts): bigint =>
  overpayment + business + fees + suspense;

/** A refund of which nothing was ordered yet. */
const unsent = {
  ...{ payoutId: null, to: null, memo: null, proof: null, transaction: null },
  ...{ failure: null, heldUp: null, announcedAt: null, linkMailedAt: null, linkMailedTo: null },
} as const;

/** Refunds units in suspense that the end of an appeal gave to the customer before, and records the event. */
export function refundOwed(changes: Changes, paymentId: string, asset: string, suspense: bigint): void {
  const parts = { overpayment: 0n, business: 0n, fees: 0n, suspense };
  const refund = makeRefund(changes, paymentId, { asset, parts, isOwed: true, reason: null });
  recordRefundEvent(changes, refund, 'refund_created');
}

/**
 * Cancels an unsent refund that no payout carries, and says why where somebody should know: its parts go back, and what it
 * took of its maker's limits. While the payment is not settled all of it goes to suspense, from where it will be settled;
 * so does one that an appeal ended with, which is in no share.
 */
export function cancelUnsent(changes: Changes<ChangeDeps>, refund: Refund, why: string | null): void {
  const { asset, units, parts, isOwed, paymentId } = refund;
  const payment = changes.payment(paymentId);
  const { integrationId: owner } = payment;
  const isInShares = !isOwed && isOfCurrency(changes.deps.assets, payment, refund) && isSettled(payment);
  const fees = isInShares ? parts.fees : 0n;
  const business = isInShares ? parts.business + parts.suspense : 0n;
  const suspense = isInShares ? 0n : units;
  const back = { asset, debit: { kind: 'payable', owner }, cause: 'refund_given_back' } as const;
  const legs: NewLeg[] = [
    { ...back, units: business, credit: { kind: 'business', owner } },
    { ...back, units: fees, credit: feeAccount },
    { ...back, units: suspense, credit: { kind: 'suspense', owner } },
  ];
  changes.post(paymentId, legs, { owner, assets: [asset] });
  changes.changeRefund({ ...refund, status: 'cancelled', failure: why ?? refund.failure, heldUp: null });
}
