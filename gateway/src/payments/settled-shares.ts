import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { feeAccount } from '../ledger/places.ts';
import { coverShortage, repayReceivable } from '../ledger/receivable.ts';
import { bookedOf } from './booked.ts';
import type { Payment } from './payment.ts';

// A settlement divides a payment's money into shares: of the business, of the fee, and the customer's overpayment.
// What is left of the shares goes back to suspense before all of the money leaves.

/**
 * Whether the shares of a payment are booked now. Those of a completed payment are, and a dispute changes nothing, until
 * a reorg takes some of its money.
 */
export function isSettled({
  status,
  reason,
  sharesReversed,
}: Pick<Payment, 'status' | 'reason' | 'sharesReversed'>): boolean {
  if (status === 'completed') return true;
  return status === 'in-appeal' && reason === 'disputed' && !sharesReversed;
}

/**
 * Books what is left of the shares of a settled payment back to suspense, net of refunds. What the business has spent of
 * its share becomes a receivable (contract.md 5). Returns the payment as it then is.
 */
export async function reverseShares(tx: Tx, payment: Payment, now: Date): Promise<Payment> {
  const { id: causeId, integrationId: owner, mode } = payment;
  const suspense: Party = { kind: 'suspense', owner };
  const business: Party = { kind: 'business', owner };
  const shares: Transfer[] = [];
  const others: Transfer[] = [];
  const credited: string[] = [];
  for (const [asset, booked] of await bookedOf(tx, payment)) {
    const leg = (units: bigint, from: Party, cause: string): Transfer => {
      const [debit, credit] = units > 0n ? [from, suspense] : [suspense, from];
      return {
        id: newId(now),
        mode,
        asset,
        units: units > 0n ? units : -units,
        debit,
        credit,
        cause,
        causeId,
      };
    };
    if (booked.fees !== 0n) others.push(leg(booked.fees, feeAccount, 'payment_fee_returned'));
    if (booked.overpayment !== 0n) {
      others.push(leg(booked.overpayment, { kind: 'payable', owner }, 'payment_surplus_returned'));
    }
    if (booked.business > 0n) shares.push(leg(booked.business, business, 'payment_taken_back'));
    // It paid more back to the customer than its share, or bore a loss: what there is of the rest is the business's again.
    const rest = booked.suspense + booked.fees + booked.overpayment;
    if (booked.business < 0n && rest > 0n) {
      credited.push(asset);
      others.push(leg(booked.business > -rest ? booked.business : -rest, business, 'payment_taken_back'));
    }
  }
  const covered = await coverShortage(tx, { owner, mode }, shares, now);
  // What goes to suspense goes first: the business is paid out of it.
  const isOut = ({ debit }: Transfer): boolean => debit === suspense;
  const sorted = [...others.filter((leg) => !isOut(leg)), ...others.filter(isOut)];
  await postAll(tx, [...covered, ...sorted], now);
  await repayReceivable(tx, { owner, mode }, credited, causeId, now);
  await tx.query('UPDATE payments SET shares_reversed = true WHERE id = $1', [payment.id]);
  return { ...payment, sharesReversed: true };
}
