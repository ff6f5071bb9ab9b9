import type { Reader, Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { netByCause } from '../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { coverShortage } from '../ledger/receivable.ts';
import type { Payment } from './payment.ts';

// A payment's money is divided when it is settled: between the business, the fee and the customer's surplus.
// It is taken apart again, back into suspense, before any of it leaves.

/** By which causes a payment's money is divided, and taken back again. */
const settledBy = {
  business: ['payment_settled', 'payment_taken_back'],
  fees: ['payment_fee', 'payment_fee_returned'],
  payable: ['payment_surplus', 'payment_surplus_returned'],
} as const;

type Settled = { kind: keyof typeof settledBy; asset: string; units: bigint };

/** What a settled payment put where, and is still there; nothing for one whose money is in suspense. */
export async function settledOf(reader: Reader, paymentId: string): Promise<Settled[]> {
  const settled: Settled[] = [];
  for (const kind of Object.keys(settledBy) as Settled['kind'][]) {
    const nets = await netByCause(reader, paymentId, [...settledBy[kind]]);
    const taken = nets.filter((net) => net.kind === 'suspense' && net.units < 0n);
    settled.push(...taken.map(({ asset, units }) => ({ kind, asset, units: -units })));
  }
  return settled;
}

/**
 * Whether a payment's money is divided now. A completed one's is, and a dispute leaves it so; but when some of a
 * disputed payment's money has left its chain, what is left lies in suspense: only the ledger knows.
 */
export async function isDivided(
  reader: Reader,
  { id, status, reason }: Pick<Payment, 'id' | 'status' | 'reason'>,
): Promise<boolean> {
  if (status === 'completed') return true;
  if (status !== 'in-appeal' || reason !== 'disputed') return false;
  return (await settledOf(reader, id)).length > 0;
}

/**
 * Puts a settled payment's money back into suspense. What the business has spent of its share it owes from then
 * on (contract.md 5). Nothing happens to a payment that is not settled.
 */
export async function takeApart(tx: Tx, payment: Payment, now: Date): Promise<void> {
  const owner = payment.integrationId;
  const debits: Record<Settled['kind'], Party> = {
    business: { kind: 'business', owner },
    fees: { kind: 'fees', owner: '' },
    payable: { kind: 'payable', owner },
  };
  const transfers = (await settledOf(tx, payment.id)).map(
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
