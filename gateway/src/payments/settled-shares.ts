import type { Reader, Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { netByCause } from '../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { coverShortage } from '../ledger/receivable.ts';
import type { Payment } from './payment.ts';

// A settlement divides a payment's money into shares: of the business, of the fee, and the customer's overpayment.
// The shares go back to suspense before any of the money leaves.

/** The ledger's causes for booking each share, and for reversing it. */
const settledBy = {
  business: ['payment_settled', 'payment_taken_back'],
  fees: ['payment_fee', 'payment_fee_returned'],
  payable: ['payment_surplus', 'payment_surplus_returned'],
} as const;

type BookedShare = { kind: keyof typeof settledBy; asset: string; units: bigint };

/** The shares of a payment that are booked now; none while its money is in suspense. */
export async function bookedShares(reader: Reader, paymentId: string): Promise<BookedShare[]> {
  const settled: BookedShare[] = [];
  for (const kind of Object.keys(settledBy) as BookedShare['kind'][]) {
    const nets = await netByCause(reader, paymentId, [...settledBy[kind]]);
    const taken = nets.filter((net) => net.kind === 'suspense' && net.units < 0n);
    settled.push(...taken.map(({ asset, units }) => ({ kind, asset, units: -units })));
  }
  return settled;
}

/**
 * Whether the shares of a payment are booked now. Those of a completed payment are, and a dispute changes nothing. When
 * a reorg took some of a disputed payment's money, the rest is in suspense: the ledger says which it is.
 */
export async function isSettled(
  reader: Reader,
  { id, status, reason }: Pick<Payment, 'id' | 'status' | 'reason'>,
): Promise<boolean> {
  if (status === 'completed') return true;
  if (status !== 'in-appeal' || reason !== 'disputed') return false;
  return (await bookedShares(reader, id)).length > 0;
}

/**
 * Books the shares of a settled payment back to suspense. What the business has spent of its share becomes a receivable
 * (contract.md 5). Does nothing for a payment that is not settled.
 */
export async function reverseShares(tx: Tx, payment: Payment, now: Date): Promise<void> {
  const owner = payment.integrationId;
  const debits: Record<BookedShare['kind'], Party> = {
    business: { kind: 'business', owner },
    fees: { kind: 'fees', owner: '' },
    payable: { kind: 'payable', owner },
  };
  const transfers = (await bookedShares(tx, payment.id)).map(
    ({ kind, asset, units }): Transfer => ({
      id: newId(now),
      mode: payment.mode,
      asset,
      units,
      debit: debits[kind],
      credit: { kind: 'suspense', owner },
      cause: settledBy[kind][1],
      causeId: payment.id,
    }),
  );
  const [shares, others] = [
    transfers.filter(({ debit }) => debit.kind === 'business'),
    transfers.filter(({ debit }) => debit.kind !== 'business'),
  ];
  const covered = await coverShortage(tx, { owner, mode: payment.mode }, shares, now);
  await postAll(tx, [...covered, ...others], now);
}
