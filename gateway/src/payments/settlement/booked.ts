import type { Reader } from '../../kit/db/db.ts';
import { type Net, netByCause } from '../../ledger/by-cause.ts';
import type { Payment } from '../payment/payment.ts';
import { type Refund, unsentUnits } from './refund.ts';
import { refundsOf } from './refund-rows.ts';

/** What the ledger holds because of one payment, in one asset. Units that were refunded are gone from it. */
export type Booked = {
  suspense: bigint;
  /** Of the business balance, with what it owes. It is negative where the business bore more than it got. */
  business: bigint;
  fees: bigint;
  /** What is the customer's, and no refund is made of yet. */
  overpayment: bigint;
};

export const notBooked: Booked = { suspense: 0n, business: 0n, fees: 0n, overpayment: 0n };

/** What is booked for a payment now, by asset. */
export async function bookedOf(
  reader: Reader,
  payment: Pick<Payment, 'id' | 'integrationId' | 'hasRefunds'>,
): Promise<Map<string, Booked>> {
  const nets = await netByCause(reader, payment.id);
  return sumBooked(payment, nets, payment.hasRefunds ? await refundsOf(reader, payment.id) : []);
}

/** The same out of what the transfers of a payment brought to accounts, and all of its refunds. */
export function sumBooked(
  { integrationId }: Pick<Payment, 'integrationId'>,
  nets: readonly Net[],
  refunds: readonly Refund[],
): Map<string, Booked> {
  const booked = new Map<string, Booked>();
  const add = (asset: string, to: keyof Booked, units: bigint) => {
    const before = booked.get(asset) ?? notBooked;
    booked.set(asset, { ...before, [to]: before[to] + units });
  };
  for (const { kind, owner, asset, units } of nets) {
    if (kind === 'fees') add(asset, 'fees', units);
    if (owner !== integrationId) continue;
    if (kind === 'suspense') add(asset, 'suspense', units);
    if (kind === 'business' || kind === 'receivable') add(asset, 'business', units);
    if (kind === 'payable') add(asset, 'overpayment', units);
  }
  for (const asset of new Set(refunds.map((refund) => refund.asset))) {
    add(asset, 'overpayment', -unsentUnits(refunds, asset));
  }
  return booked;
}
