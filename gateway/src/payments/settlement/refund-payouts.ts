import { Refusal } from '../../kit/errors.ts';
import { cancelPayout } from '../../payouts/lifecycle/cancel.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { type Moved, purposeOf } from '../../payouts/payout/purposes.ts';
import type { StateDeps } from '../payment/state.ts';
import type { ChangeDeps, Changes } from './changes.ts';
import { announceRefunded, recordRefundEvent } from './events.ts';
import { raiseVersion } from './moves.ts';
import { isUnsent, type Refund } from './refund.ts';
import { cancelUnsent } from './refund-money.ts';

// What becomes of refunds when the payouts that carry them move.

/** Carries on with the refunds of payouts that have moved; their payments are open for changes. */
export function followPayouts(changes: Changes<ChangeDeps>, moved: readonly Moved[]): void {
  for (const { payout } of moved) followPayout(changes, carriedBy(changes, payout), payout);
  followTogether(changes, moved);
}

function carriedBy(changes: Changes<ChangeDeps>, { id, causeId }: Moved['payout']): Refund {
  const refund = changes.refundsOf(causeId ?? '').find(({ payoutId }) => payoutId === id);
  if (!refund) throw new Error(`Payout ${id} carries no refund`);
  return refund;
}

function followPayout(changes: Changes<ChangeDeps>, refund: Refund, payout: Moved['payout']): void {
  const { status, transaction, failure, heldUp } = payout;
  // Nobody could claim what goes to a wallet, and what waits as one ends as one.
  const isOver = refund.wallet !== null || payout.together !== null;
  if (status === 'rejected' && isOver) endRejected(changes, refund, failure);
  else if (status === 'rejected') failRefund(changes, refund, failure ?? 'It was rejected');
  else if (status === 'failed') failRefund(changes, refund, failure);
  else if (status === 'completed') completeRefund(changes, refund, transaction);
  else {
    if (status !== 'cancelled') {
      changes.changeRefund({ ...refund, status, transaction: transaction ?? refund.transaction, heldUp });
    } else if (refund.isOwed) waitAgain(changes, refund, failure);
    else cancelUnsent(changes, refund, null);
    raiseVersion(changes, refund.paymentId);
  }
}

/** The payout of a refund failed: its customer is asked again. */
function failRefund(changes: Changes<ChangeDeps>, refund: Refund, why: string | null): void {
  waitAgain(changes, refund, why);
  recordRefundEvent(changes, refund, 'refund_failed');
}

function completeRefund(changes: Changes<ChangeDeps>, refund: Refund, transaction: string | null): void {
  const { wallet: owner, asset, paymentId } = refund;
  const completed: Refund = {
    ...{ ...refund, status: 'completed', heldUp: null },
    transaction: transaction ?? refund.transaction,
    completedAt: refund.completedAt ?? changes.deps.now(),
  };
  changes.changeRefund(completed);
  raiseVersion(changes, paymentId);
  if (owner !== null) changes.post(paymentId, [], { owner, assets: [asset] });
  announceRefunded(changes, completed);
}

/** Carries on with refunds that wait as one with these payouts and are left to their customer, who is asked now, or never. */
function followTogether(changes: Changes<ChangeDeps>, moved: readonly Moved[]): void {
  const ends = new Map(moved.map(({ payout }) => [payout.together, payout]));
  for (const [together, { causeId, status, failure }] of ends) {
    if (together === null || causeId === null) continue;
    const rest = changes
      .refundsOf(causeId)
      .find(
        (each) => each.together === together && each.payoutId === null && each.status === 'awaiting_approval',
      );
    if (!rest) continue;
    if (status === 'rejected') endRejected(changes, rest, failure);
    if (status === 'cancelled') cancelUnsent(changes, rest, null);
    if (status === 'queued') waitAgain(changes, rest, null);
    raiseVersion(changes, causeId);
  }
}

function endRejected(changes: Changes<ChangeDeps>, refund: Refund, why: string | null): void {
  cancelUnsent(changes, refund, why);
  recordRefundEvent(changes, refund, 'refund_failed');
}

/** A refund is owed as before: the customer, or the merchant, says again where it goes. */
export function waitAgain(changes: Changes<ChangeDeps>, refund: Refund, failure: string | null): void {
  changes.changeRefund({
    ...refund,
    ...{ status: 'awaiting_destination', payoutId: null, to: null, memo: null, proof: null },
    ...{ transfer: null, failure, heldUp: null },
  });
}

/** What payouts need to be moved while payments are open for changes: their refunds are changed there. */
export function payoutDepsOf(changes: Changes): StateDeps {
  const { deps } = changes;
  const moved = async (_: unknown, payouts: readonly Moved[]) => followPayouts(changes, payouts);
  return {
    ...deps,
    purposes: { ...deps.purposes, refund: { ...purposeOf(deps.purposes, 'refund'), moved } },
  };
}

/**
 * Cancels what can be cancelled of a payment's unsent refunds in an asset, because a deposit left its chain: of those that
 * an appeal ended with, or of the others; and of what is at the merchant's own address, or of the rest. Returns the units
 * that went back.
 */
export async function cancelAllUnsent(
  changes: Changes,
  paymentId: string,
  { asset, isOwed, isDirect }: Pick<Refund, 'asset' | 'isOwed' | 'isDirect'>,
): Promise<bigint> {
  const unsent = changes
    .refundsOf(paymentId)
    .filter((refund) => refund.asset === asset && refund.isOwed === isOwed && refund.isDirect === isDirect)
    .filter(isUnsent);
  let freed = 0n;
  for (const { id, units } of unsent) {
    const current = (): Refund | undefined =>
      changes.refundsOf(paymentId).find((each) => each.id === id && isUnsent(each));
    const payoutId = current()?.payoutId ?? null;
    if (payoutId !== null && !(await cancelIfUnsigned(changes, payoutId))) continue;
    // The end of its payout has cancelled it, or that of what it waited with as one; unless it is owed.
    const open = current();
    if (open) cancelUnsent(changes, open, 'The deposit left its chain');
    freed += units;
  }
  return freed;
}

/** Cancels a payout; false: it is signed already. */
async function cancelIfUnsigned(changes: Changes, payoutId: string): Promise<boolean> {
  try {
    await cancelPayout(changes.tx, payoutDepsOf(changes), payoutId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.row === payoutErrors.payout_not_cancellable) return false;
    throw error;
  }
}
