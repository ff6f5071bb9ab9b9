import type { Tx } from '../../kit/db/db.ts';
import { Refusal, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { type Party, postAll, postTransfers, type Transfer } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import { repayReceivable } from '../../ledger/receivable.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { releaseUses } from '../../payouts/rules/limits.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { isOfCurrency } from './received.ts';
import { findRefund, isUnsent, type Refund, type RefundParts, refundsOf } from './refund.ts';
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
 * Makes a refund of a locked payment, which waits for its destination, and moves its parts. Refuses
 * `insufficient_balance` where the business lacks its part. The caller records its event.
 */
export async function makeRefund(
  tx: Tx,
  payment: Payment,
  {
    asset,
    parts,
    isOwed,
    reason,
    madeBy = null,
    together = null,
    wallet = null,
    isAtOnce = false,
  }: NewRefund,
  now: Date,
): Promise<Refund> {
  const id = newId<'refund'>(now);
  const units = parts.overpayment + parts.business + parts.fees + parts.suspense;
  await take(tx, payment, asset, parts, now);
  const status = isAtOnce ? 'completed' : 'awaiting_destination';
  const completedAt = isAtOnce ? now : null;
  if (isAtOnce && wallet !== null) await giveToWallet(tx, payment, { asset, units, wallet }, now);
  await tx.query(
    `INSERT INTO payment_refunds (id, payment_id, status, asset, units, from_overpayment, from_business, from_fees,
       from_suspense, is_owed, made_by, together, reason, wallet, created_at, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[id, payment.id, status, asset, units],
      ...[parts.overpayment, parts.business, parts.fees, parts.suspense],
      ...[isOwed, madeBy, together, reason, wallet, now, completedAt],
    ],
  );
  await tx.query('UPDATE payments SET has_refunds = true WHERE id = $1 AND NOT has_refunds', [payment.id]);
  return {
    ...{ id, paymentId: payment.id, status, asset, units, parts, isOwed, madeBy, together, reason, wallet },
    ...{ payoutId: null, to: null, memo: null, transaction: null, failure: null, announcedAt: null },
    ...{ linkMailedAt: null, linkMailedTo: null, provedBy: null, createdAt: now, completedAt },
  };
}

async function take(tx: Tx, payment: Payment, asset: string, parts: RefundParts, now: Date): Promise<void> {
  const owner = payment.integrationId;
  const legs: [bigint, Party, string][] = [
    [parts.business, { kind: 'business', owner }, 'refund_taken'],
    [parts.fees, feeAccount, 'refund_fee_returned'],
    [parts.suspense, { kind: 'suspense', owner }, 'refund_owed'],
  ];
  const outcomes = await postTransfers(
    tx,
    legs
      .filter(([units]) => units > 0n)
      .map(
        ([units, debit, cause]): Transfer => ({
          ...{ id: newId(now), mode: payment.mode, asset, units, debit },
          credit: { kind: 'payable', owner },
          ...{ cause, causeId: payment.id },
        }),
      ),
    now,
  );
  if (outcomes.includes('insufficient')) throw refuse(ledgerErrors.insufficient_balance);
}

async function giveToWallet(
  tx: Tx,
  { id: causeId, integrationId, mode }: Payment,
  { asset, units, wallet }: { asset: string; units: bigint; wallet: string },
  now: Date,
): Promise<void> {
  const debit: Party = { kind: 'payable', owner: integrationId };
  const credit: Party = { kind: 'user', owner: wallet };
  const transfer = { id: newId(now), mode, asset, units, debit, credit, cause: 'refund_sent', causeId };
  await postAll(tx, [transfer], now);
  await repayReceivable(tx, { owner: wallet, mode, assets: [asset], causeId }, now);
}

/**
 * Cancels an unsent refund without a payout: its parts go back, and what it took of its maker's limits. While the payment
 * is not settled all of it goes to suspense, from where it will be settled; so does one that an appeal ended with, which
 * is in no share.
 */
export async function endUnsent(
  tx: Tx,
  deps: Pick<StateDeps, 'assets'>,
  payment: Payment,
  refund: Refund,
  why: string | null,
  now: Date,
): Promise<void> {
  const { asset, units, parts } = refund;
  const { id: causeId, integrationId: owner, mode } = payment;
  const isInShares = !refund.isOwed && isOfCurrency(deps.assets, payment, refund) && isSettled(payment);
  const legs: [bigint, Party][] = isInShares
    ? [
        [parts.business + parts.suspense, { kind: 'business', owner }],
        [parts.fees, feeAccount],
      ]
    : [[units, { kind: 'suspense', owner }]];
  await postAll(
    tx,
    legs
      .filter(([sum]) => sum > 0n)
      .map(
        ([sum, credit]): Transfer => ({
          ...{ id: newId(now), mode, asset, units: sum, debit: { kind: 'payable', owner }, credit },
          ...{ cause: 'refund_given_back', causeId },
        }),
      ),
    now,
  );
  await repayReceivable(tx, { owner, mode, assets: [asset], causeId }, now);
  await releaseUses(tx, [refund.id]);
  await tx.query(
    `UPDATE payment_refunds SET status = 'cancelled', failure = coalesce($2, failure) WHERE id = $1`,
    [refund.id, why],
  );
}

/**
 * Cancels what can be cancelled of a payment's unsent refunds in an asset, because a deposit left its chain: of those that an
 * appeal ended with, or of the others. Returns the units that went back.
 */
export async function cancelUnsent(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  { asset, isOwed }: Pick<Refund, 'asset' | 'isOwed'>,
  now: Date,
): Promise<bigint> {
  let freed = 0n;
  for (const refund of await refundsOf(tx, payment.id)) {
    if (refund.asset !== asset || refund.isOwed !== isOwed || !isUnsent(refund)) continue;
    const before = await findRefund(tx, payment.id, refund.id);
    // What it waited with as one may have ended it.
    if (
      before &&
      isUnsent(before) &&
      before.payoutId !== null &&
      !(await takeBack(tx, deps, before.payoutId))
    )
      continue;
    const open = await findRefund(tx, payment.id, refund.id);
    // Its payout's end has cancelled it, unless it is owed.
    if (open && isUnsent(open)) await endUnsent(tx, deps, payment, open, depositGone, now);
    freed += refund.units;
  }
  return freed;
}

const depositGone = 'The deposit left its chain';

/** Whether a payout was cancelled; false: it is signed already. */
export async function takeBack(tx: Tx, deps: StateDeps, payoutId: string): Promise<boolean> {
  try {
    await cancelPayout(tx, deps, payoutId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.row === payoutErrors.payout_not_cancellable) return false;
    throw error;
  }
}
