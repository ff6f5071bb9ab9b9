import { newId } from '../../kit/ids.ts';
import type { Party } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { recordRefundEvent } from './events.ts';
import type { Leg } from './legs.ts';
import { isOfCurrency } from './received.ts';
import type { Refund, RefundParts } from './refund.ts';
import { isSettled } from './settle.ts';

// The units of a refund stand in `payable` from when it is made until it is sent: its parts are moved there, and go back
// where they came from if it ends without.

export type NewRefund = Pick<Refund, 'asset' | 'parts' | 'isOwed' | 'reason'> & {
  /** The person who asks for it, or who made the key that does. */
  madeBy?: string | null;
  together?: string | null;
  /** The user whose wallet gets it back: by a payout, or at once where an appeal has decided it. */
  wallet?: string | null;
  isAtOnce?: boolean;
};

/**
 * Makes a refund of a payment, which waits for its destination, with its event `refund_created` left to the caller. Its
 * parts are moved; where the business lacks its part the transaction is refused (`insufficient_balance`).
 */
export function makeRefund(changes: Changes, paymentId: string, wanted: NewRefund): Refund {
  const { asset, parts, isOwed, reason, isAtOnce = false } = wanted;
  const now = changes.deps.now();
  const payment = changes.payment(paymentId);
  const { integrationId: owner, mode } = payment;
  const { madeBy = null, together = null, wallet = null } = wanted;
  const refund: Refund = {
    ...{ id: newId<'refund'>(now), paymentId: payment.id, asset, units: unitsOf(parts), parts, isOwed },
    ...{ madeBy, together, reason, wallet, createdAt: now, ...unsent },
    ...{ status: isAtOnce ? 'completed' : 'awaiting_destination', completedAt: isAtOnce ? now : null },
  };
  const payable: Party = { kind: 'payable', owner };
  const leg = (units: bigint, debit: Party, credit: Party, cause: string): Leg[] => {
    const sides = { id: newId(now), mode, asset, units, debit, credit, cause, causeId: paymentId };
    return units > 0n ? [{ ...sides, ifShort: 'refused' }] : [];
  };
  changes.post([
    ...leg(parts.business, { kind: 'business', owner }, payable, 'refund_taken'),
    ...leg(parts.fees, feeAccount, payable, 'refund_fee_returned'),
    ...leg(parts.suspense, { kind: 'suspense', owner }, payable, 'refund_owed'),
  ]);
  if (isAtOnce && wallet !== null) {
    const credited = { owner: wallet, mode, assets: [asset], causeId: paymentId };
    changes.post(leg(refund.units, payable, { kind: 'user', owner: wallet }, 'refund_sent'), credited);
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

/** Refunds out of suspense what an appeal gave to the customer already, and records its event. */
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
  const { assets, now } = changes.deps;
  const { asset, units, parts, isOwed } = refund;
  const payment = changes.payment(refund.paymentId);
  const { id: causeId, integrationId: owner, mode } = payment;
  const debit: Party = { kind: 'payable', owner };
  const isInShares = !isOwed && isOfCurrency(assets, payment, refund) && isSettled(payment);
  const givenBack: [bigint, Party][] = isInShares
    ? [
        [parts.business + parts.suspense, { kind: 'business', owner }],
        [parts.fees, feeAccount],
      ]
    : [[units, { kind: 'suspense', owner }]];
  const legs = givenBack
    .filter(([sum]) => sum > 0n)
    .map(
      ([sum, credit]): Leg => ({
        ...{ id: newId(now()), mode, asset, units: sum, debit, credit, cause: 'refund_given_back', causeId },
      }),
    );
  changes.post(legs, { owner, mode, assets: [asset], causeId });
  changes.changeRefund({ ...refund, status: 'cancelled', failure: why ?? refund.failure });
}
