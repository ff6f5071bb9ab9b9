import type { Reader } from '../../kit/db/db.ts';
import { netByCause } from '../../ledger/by-cause.ts';
import type { Payment } from '../payment/payment.ts';
import { refundsOf, unsentUnits } from './refund.ts';

/** What the ledger holds because of one payment, in one asset. Units that were refunded are gone from it. */
export type Booked = {
  suspense: bigint;
  /** Of the business balance, with what it owes. It is negative where the business bore more than it got. */
  business: bigint;
  fees: bigint;
  /** What is the customer's, and no refund is made of yet. */
  overpayment: bigint;
};

const nothing: Booked = { suspense: 0n, business: 0n, fees: 0n, overpayment: 0n };

/** What is booked for a payment now, by asset. */
export async function bookedOf(
  reader: Reader,
  { id, integrationId, hasRefunds }: Pick<Payment, 'id' | 'integrationId' | 'hasRefunds'>,
): Promise<Map<string, Booked>> {
  const booked = new Map<string, Booked>();
  const add = (asset: string, to: keyof Booked, units: bigint) => {
    const before = booked.get(asset) ?? nothing;
    booked.set(asset, { ...before, [to]: before[to] + units });
  };
  for (const { kind, owner, asset, units } of await netByCause(reader, id)) {
    if (kind === 'fees') add(asset, 'fees', units);
    if (owner !== integrationId) continue;
    if (kind === 'suspense') add(asset, 'suspense', units);
    if (kind === 'business' || kind === 'receivable') add(asset, 'business', units);
    if (kind === 'payable') add(asset, 'overpayment', units);
  }
  const refunds = hasRefunds ? await refundsOf(reader, id) : [];
  for (const asset of new Set(refunds.map((refund) => refund.asset))) {
    add(asset, 'overpayment', -unsentUnits(refunds, asset));
  }
  return booked;
}

/** The same in one asset. */
export async function bookedIn(
  reader: Reader,
  payment: Pick<Payment, 'id' | 'integrationId' | 'hasRefunds'>,
  asset: string,
): Promise<Booked> {
  return (await bookedOf(reader, payment)).get(asset) ?? nothing;
}
