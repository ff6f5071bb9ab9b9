import { newId } from '../../kit/ids.ts';
import { sourcesOf } from '../../ledger/by-cause.ts';
import type { Party } from '../../ledger/ledger.ts';
import { directAccountOf } from '../../ledger/places.ts';
import { chargedOf } from '../payment/payment.ts';
import { notBooked } from './booked.ts';
import type { Changes } from './changes.ts';
import { makeMove } from './moves.ts';
import { completingUnits, countingOf, finalUnits, isOfCurrency } from './received.ts';
import { refundDirect, refundOwed } from './refund-money.ts';
import { cancelAllUnsent } from './refund-payouts.ts';
import { isSettled, reverseShares, settle } from './settle.ts';
import type { TransferRow } from './transfer.ts';

/**
 * Reverses the booking of a transfer that was final and has left its chain, by counter-entries. Unsent refunds of it are
 * cancelled, and the shares of a settled payment are reversed first. If the rest still covers the amount due, the payment
 * is settled anew with it; otherwise the rest stays in suspense, and a completed payment comes into appeal. What was
 * refunded already is the business's loss.
 */
export async function reverseTransfer(changes: Changes, gone: TransferRow): Promise<void> {
  const { assets, now } = changes.deps;
  const { payment_id: id, asset, units, is_direct: isDirect } = gone;
  const counter = { id: newId(now()), source: await sourceOf(changes, gone) };
  changes.noteReversal({ id: counter.id, transfer: gone, at: now() });
  if (gone.returned_at !== null) return await reverseReturned(changes, gone, counter);
  if (changes.payment(id).hasRefunds) await cancelAllUnsent(changes, id, { asset, isOwed: false, isDirect });
  const payment = changes.payment(id);
  const wasSettled = isOfCurrency(assets, payment, gone) && isSettled(payment);
  if (wasSettled) await reverseShares(changes, id);
  const left = payment.hasRefunds ? ((await changes.bookedOf(id)).get(asset) ?? notBooked).suspense : units;
  postReversal(changes, gone, { ...counter, left });
  if (!wasSettled) return;
  const rest = countingOf(assets, payment, changes.transfersOf(id));
  if (finalUnits(assets, rest) >= completingUnits(chargedOf(payment))) await settle(changes, id);
  else if (payment.status === 'completed') makeMove(changes, id, { to: 'in-appeal', reason: 'reorg' });
}

/** Where the money of a transfer came from, as it was booked. */
async function sourceOf(changes: Changes, { ledger_id }: TransferRow): Promise<Party> {
  const source =
    changes.unpostedLeg(ledger_id)?.debit ?? (await sourcesOf(changes.tx, [ledger_id])).get(ledger_id);
  if (!source) throw new Error(`Ledger transfer ${ledger_id} was never booked`);
  return source;
}

/** The counter-entry: its id, to whom the money goes back, and how much of it suspense has. */
type Reversal = { id: string; source: Party; left: bigint };

/** Books the money back to its source: out of suspense what is left there, and the rest at the business's cost. */
function postReversal(
  changes: Changes,
  { payment_id, asset, units, is_direct }: TransferRow,
  { id, source: credit, left }: Reversal,
): void {
  const { integrationId: owner } = changes.payment(payment_id);
  if (is_direct) {
    const debit = directAccountOf(owner);
    changes.post(payment_id, [{ id, asset, units, debit, credit, cause: 'payment_lost' }]);
    return;
  }
  const covered = left < units ? left : units;
  const leg = { asset, credit, cause: 'payment_lost' };
  const borneId = covered > 0n ? newId(changes.deps.now()) : id;
  changes.post(payment_id, [
    { ...leg, id, units: covered, debit: { kind: 'suspense', owner } },
    { ...leg, id: borneId, units: units - covered, debit: { kind: 'business', owner }, ifShort: 'owed' },
  ]);
}

/**
 * Of a transfer that the end of an appeal refunded: unsent refunds end, and what they leave after this transfer is
 * refunded anew. If the transfer comes back it counts for the payment again, unless its refund was sent.
 */
async function reverseReturned(
  changes: Changes,
  gone: TransferRow,
  counter: Omit<Reversal, 'left'>,
): Promise<void> {
  const { payment_id: id, asset, units, is_direct: isDirect } = gone;
  const left = await cancelAllUnsent(changes, id, { asset, isOwed: true, isDirect });
  if (isDirect) {
    postReversal(changes, gone, { ...counter, left: 0n });
    if (left > 0n) changes.changeTransfer({ ...gone, returned_at: null });
    refundDirect(changes, id, asset);
    return;
  }
  postReversal(changes, gone, { ...counter, left });
  if (left > units) refundOwed(changes, id, asset, left - units);
  if (left >= units) changes.changeTransfer({ ...gone, returned_at: null });
}
