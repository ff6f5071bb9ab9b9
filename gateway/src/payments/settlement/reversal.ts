import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { sourcesOf } from '../../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../../ledger/ledger.ts';
import { coverShortage } from '../../ledger/receivable.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { bookedIn } from './booked.ts';
import { movePayment } from './moves.ts';
import { countingOf, dueUnits, finalUnits, isOfCurrency, transfersOf } from './received.ts';
import { recordRefundEvent } from './refund-events.ts';
import { cancelUnsent, makeRefund } from './refund-money.ts';
import { isSettled, reverseShares, settlePayment } from './settle.ts';
import type { TransferRow } from './transfer.ts';

/**
 * Reverses the booking of a transfer that was final and has left its chain, by counter-entries. Unsent refunds of it are
 * cancelled, and the shares of a settled payment are reversed first. If the rest still covers the amount due, the payment
 * is settled anew with it; otherwise the rest stays in suspense, and a completed payment comes into appeal. What was
 * refunded already is the business's loss. Returns the payment as it then is.
 */
export async function reverseTransfer(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  gone: TransferRow,
): Promise<Payment> {
  const now = deps.now();
  const source = await sourceOf(tx, gone);
  const id = await noteReversal(tx, gone, now);
  if (gone.returned_at !== null) {
    await reverseReturned(tx, deps, payment, gone, { id, source }, now);
    return payment;
  }
  const { asset, units } = gone;
  if (payment.hasRefunds) await cancelUnsent(tx, deps, payment, { asset, isOwed: false }, now);
  const wasSettled = isOfCurrency(deps.assets, payment, gone) && isSettled(payment);
  const current = wasSettled ? await reverseShares(tx, payment, now) : payment;
  const left = current.hasRefunds ? (await bookedIn(tx, current, asset)).suspense : units;
  await bookReversal(tx, current, gone, { id, source, left }, now);
  if (!wasSettled) return current;
  const rest = countingOf(deps.assets, current, await transfersOf(tx, current.id));
  if (finalUnits(deps.assets, rest) >= dueUnits(current)) return await settlePayment(tx, deps, current);
  if (current.status !== 'completed') return current;
  return await movePayment(tx, deps, current, { to: 'in-appeal', reason: 'reorg' });
}

/** Where the money of a transfer came from, as it was booked. */
async function sourceOf(reader: Reader, { ledger_id }: TransferRow): Promise<Party> {
  const source = (await sourcesOf(reader, [ledger_id])).get(ledger_id);
  if (!source) throw new Error(`Ledger transfer ${ledger_id} was never booked`);
  return source;
}

/** The counter-entry: its id, to whom the money goes back, and how much of it suspense has. */
type Reversal = { id: string; source: Party; left: bigint };

/** Books the money back to its source: out of suspense what is left there, and the rest at the business's cost. */
async function bookReversal(
  tx: Tx,
  { id: causeId, integrationId: owner, mode }: Payment,
  { asset, units }: TransferRow,
  { id, source: credit, left }: Reversal,
  now: Date,
): Promise<void> {
  const covered = left < units ? left : units;
  const leg = (kind: 'suspense' | 'business', sum: bigint, legId: string): Transfer => ({
    ...{ id: legId, mode, asset, units: sum, debit: { kind, owner }, credit },
    ...{ cause: 'payment_lost', causeId },
  });
  if (covered > 0n) await postAll(tx, [leg('suspense', covered, id)], now);
  if (covered === units) return;
  const borne = leg('business', units - covered, covered > 0n ? newId(now) : id);
  await postAll(tx, await coverShortage(tx, { owner, mode }, [borne], now), now);
}

/**
 * Of a transfer that the end of an appeal refunded: unsent refunds end, and what they leave after this transfer is
 * refunded anew. If the transfer comes back it counts for the payment again, unless its refund was sent.
 */
async function reverseReturned(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  gone: TransferRow,
  { id, source }: Pick<Reversal, 'id' | 'source'>,
  now: Date,
): Promise<void> {
  const { asset, units, rail, key } = gone;
  const left = await cancelUnsent(tx, deps, payment, { asset, isOwed: true }, now);
  await bookReversal(tx, payment, gone, { id, source, left }, now);
  if (left > units) await refundRest(tx, deps, payment, asset, left - units, now);
  if (left < units) return;
  await tx.query('UPDATE payment_transfers SET returned_at = NULL WHERE rail = $1 AND key = $2', [rail, key]);
}

/** Refunds money in suspense that an appeal gave to the customer already. */
export async function refundRest(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  asset: string,
  suspense: bigint,
  now: Date,
): Promise<void> {
  const parts = { overpayment: 0n, business: 0n, fees: 0n, suspense };
  const refund = await makeRefund(tx, payment, { asset, parts, isOwed: true, reason: null }, now);
  await recordRefundEvent(tx, deps, payment, refund, 'refund_created', now);
}

/** Notes a reversal, which is mailed to operators. Returns the id of its counter-entry. */
async function noteReversal(
  tx: Tx,
  { payment_id, rail, key, transaction, asset, units }: TransferRow,
  now: Date,
): Promise<string> {
  const id = newId(now);
  await tx.query(
    `INSERT INTO payment_reversals (id, payment_id, rail, key, transaction, asset, units, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, payment_id, rail, key, transaction, asset, units, now],
  );
  return id;
}
