import { newId } from '../../kit/ids.ts';
import type { Party } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { recordRefundEvent } from './events.ts';
import type { NewLeg } from './legs.ts';
import { hostPart, isOfCurrency } from './received.ts';
import type { Refund, RefundParts } from './refund.ts';
import { isSettled } from './settle.ts';
import type { TransferRow } from './transfer.ts';

// The units of a refund are in `payable` from when it is made until it is sent: its parts are moved there, and go back
// where they came from if it ends unsent.

export type NewRefund = Pick<Refund, 'asset' | 'parts' | 'isOwed' | 'reason'> & {
  /** The person who asks for it, or who made the key that does. */
  madeBy?: string | null;
  together?: string | null;
  /** The user whose wallet gets it back: by a payout, or at once where an appeal has decided it. */
  wallet?: string | null;
  isAtOnce?: boolean;
  /** The merchant has the money, and sends it: nothing is moved. */
  isDirect?: boolean;
};

/**
 * Makes a refund of a payment, which waits for its destination, and moves its parts. Where the business lacks its part the
 * transaction is refused (`insufficient_balance`). The caller records its event `refund_created`.
 */
export function makeRefund(changes: Changes, paymentId: string, wanted: NewRefund): Refund {
  const { asset, parts, isOwed, reason, isAtOnce = false, isDirect = false } = wanted;
  const now = changes.deps.now();
  const payment = changes.payment(paymentId);
  const { integrationId: owner } = payment;
  const { madeBy = null, together = null, wallet = null } = wanted;
  const refund: Refund = {
    ...{
      id: newId<'refund'>(now),
      paymentId: payment.id,
      asset,
      units: unitsOf(parts),
      parts,
      isOwed,
      isDirect,
    },
    ...{ madeBy, needsApproval: false, together, reason, wallet, createdAt: now, ...unsent },
    ...{ status: isAtOnce ? 'completed' : 'awaiting_destination', completedAt: isAtOnce ? now : null },
  };
  if (!isDirect) takeParts(changes, refund, owner);
  if (isAtOnce && wallet !== null) {
    const payable: Party = { kind: 'payable', owner };
    const user: Party = { kind: 'user', owner: wallet };
    const sent = { asset, units: refund.units, debit: payable, credit: user, cause: 'refund_sent' };
    changes.post(paymentId, [sent], { owner: wallet, assets: [asset] });
  }
  changes.changeRefund(refund);
  if (!payment.hasRefunds) changes.changePayment({ ...payment, hasRefunds: true });
  return refund;
}

/** Moves the parts of a new refund to `payable`. */
function takeParts(changes: Changes, { id, paymentId, asset, parts }: Refund, owner: string): void {
  const taken = { asset, credit: { kind: 'payable', owner }, ifShort: 'refused' } as const;
  changes.post(paymentId, [
    // Its id is the refund's, so that a line of the business's books leads to the refund.
    {
      ...taken,
      id,
      units: parts.business,
      debit: { kind: 'business', owner },
      cause: 'refund_taken',
    },
    { ...taken, units: parts.fees, debit: feeAccount, cause: 'refund_fee_returned' },
    { ...taken, units: parts.suspense, debit: { kind: 'suspense', owner }, cause: 'refund_owed' },
  ]);
}

const unitsOf = ({ overpayment, business, fees, suspense }: RefundParts): bigint =>
  overpayment + business + fees + suspense;

/** A refund of which nothing was ordered yet. */
const unsent = {
  ...{
    payoutId: null,
    to: null,
    memo: null,
    proof: null,
    transaction: null,
    transfer: null,
    answeredBy: null,
  },
  ...{ failure: null, heldUp: null, announcedAt: null, linkMailedAt: null, linkMailedTo: null },
} as const;

/** Refunds units in suspense that the end of an appeal gave to the customer before, and records the event. */
export function refundOwed(changes: Changes, paymentId: string, asset: string, suspense: bigint): void {
  const parts = { overpayment: 0n, business: 0n, fees: 0n, suspense };
  const refund = makeRefund(changes, paymentId, { asset, parts, isOwed: true, reason: null });
  recordRefundEvent(changes, refund, 'refund_created');
}

/** Refunds what the merchant has of what the end of an appeal gave to the customer, and records the event. */
export function refundDirect(changes: Changes, paymentId: string, asset: string): void {
  const made = makeDirectOwed(changes, paymentId, asset);
  if (made) recordRefundEvent(changes, made, 'refund_created');
}

/** The same without the event; null: no refund is missing. */
export function makeDirectOwed(changes: Changes, paymentId: string, asset: string): Refund | null {
  const of = { transfers: changes.transfersOf(paymentId), refunds: changes.refundsOf(paymentId) };
  const returned = of.transfers.filter(({ returned_at }) => returned_at !== null);
  const suspense = directUnits({ ...of, transfers: returned }, asset);
  if (suspense <= 0n) return null;
  const parts = { overpayment: 0n, business: 0n, fees: 0n, suspense };
  return makeRefund(changes, paymentId, { asset, parts, isOwed: true, isDirect: true, reason: null });
}

/**
 * What the merchant got at their own address in an asset of a payment, less the host's part and what was refunded of it; less
 * than nothing where more was refunded than is there since a reorg.
 */
export function directUnits(
  { transfers, refunds }: { transfers: readonly TransferRow[]; refunds: readonly Refund[] },
  asset: string,
): bigint {
  const got = transfers
    .filter((each) => each.is_direct && each.asset === asset && each.state === 'final')
    .reduce((sum, { units, host_points }) => sum + units - hostPart(units, host_points ?? 0), 0n);
  return refunds
    .filter((each) => each.isDirect && each.asset === asset && each.status !== 'cancelled')
    .reduce((left, { units }) => left - units, got);
}

/**
 * Cancels an unsent refund that no payout carries, and says why where somebody should know: its parts go back, and what it
 * took of its maker's limits. While the payment is not settled all of it goes to suspense, from where it will be settled;
 * so does one that an appeal ended with, which is in no share.
 */
export function cancelUnsent(changes: Changes<ChangeDeps>, refund: Refund, why: string | null): void {
  const { asset, units, parts, isOwed, isDirect, paymentId } = refund;
  changes.changeRefund({ ...refund, status: 'cancelled', failure: why ?? refund.failure, heldUp: null });
  if (isDirect) return;
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
}
