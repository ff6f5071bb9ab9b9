import { newId } from '../../kit/ids.ts';
import type { Party } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import type { Credit } from '../../ledger/receivable.ts';
import { type Assets, currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import type { Payment } from '../payment/payment.ts';
import { type Booked, notBooked } from './booked.ts';
import type { Changes } from './changes.ts';
import type { Leg } from './legs.ts';
import { countingOf, dueUnits, sendableUnits } from './received.ts';
import type { Refund, RefundParts } from './refund.ts';
import type { TransferRow } from './transfer.ts';

/** One part of what was received, in one asset's own units. */
export type Share = { asset: string; to: 'business' | 'fee' | 'overpayment'; units: bigint };

/**
 * The shares of what arrived: first the business's, then the fee; the rest is the customer's overpayment. The shares of one
 * asset sum up to what arrived in it. Where less came than is due, the fee is the same part of the whole fee
 * (contract.md#states: the fee on what came).
 */
export function settledShares(
  received: { asset: string; scale: number; units: bigint }[],
  payment: Pick<Payment, 'amountDue' | 'fee' | 'currency'>,
): Share[] {
  const shares: Share[] = [];
  const due = dueUnits(payment);
  const total = received.reduce((sum, each) => sum + rescale(each.units, each.scale, fineScale), 0n);
  const came = total < due ? total : due;
  const fee = feeOn(payment, came);
  const wanted = { business: came - fee, fee };
  for (const { asset, scale, units } of received) {
    let left = units;
    for (const to of ['business', 'fee'] as const) {
      // Rounded up: when only a fraction of this asset's smallest unit is missing, the merchant gets it.
      const need = sendableUnits(wanted[to], scale);
      const part = need < left ? need : left;
      if (part > 0n) shares.push({ asset, to, units: part });
      left -= part;
      wanted[to] -= rescale(part, scale, fineScale);
      if (wanted[to] < 0n) wanted[to] = 0n;
    }
    if (left > 0n) shares.push({ asset, to: 'overpayment', units: left });
  }
  return shares;
}

/** The fee on `came`, at `fineScale`: its part of the frozen fee, rounded half up at the currency's scale. */
function feeOn(payment: Pick<Payment, 'amountDue' | 'fee' | 'currency'>, came: bigint): bigint {
  const due = dueUnits(payment);
  const units = (2n * payment.fee * came + due) / (2n * due);
  const fee = rescale(units, currencyScale[payment.currency], fineScale);
  return fee < came ? fee : came;
}

/** The shares of a payment's final transfers. */
export function settledSharesOf(assets: Assets, payment: Payment, transfers: TransferRow[]): Share[] {
  const received = transfers
    .filter(({ state }) => state === 'final')
    .map(({ asset, units }) => ({ asset, scale: assets.get(asset).scale, units }));
  return settledShares(received, payment);
}

/**
 * Books the money of a payment that has just been completed: to the business, as the fee and as overpayment, out of
 * suspense. The business pays first what it owes.
 */
export async function settle(changes: Changes, id: string): Promise<void> {
  const { assets, now } = changes.deps;
  const payment = changes.payment(id);
  const shares = settledSharesOf(assets, payment, countingOf(assets, payment, changes.transfersOf(id)));
  const legs = payment.hasRefunds
    ? legsNet(payment, { shares, refunds: changes.refundsOf(id), booked: await changes.bookedOf(id) }, now())
    : shares.map((share) => outOfSuspense(payment, share, now()));
  const business = shares.filter(({ to }) => to === 'business').map(({ asset }) => asset);
  changes.post(legs, creditOf(payment, [...new Set(business)]));
  if (payment.sharesReversed) changes.changePayment({ ...payment, sharesReversed: false });
}

/**
 * The legs of a payment with refunds that were sent, or are under way: each account gets its share less what it gave for
 * them. The business has the rest, and pays for refunds of an overpayment that is no longer there.
 */
function legsNet(
  payment: Payment,
  { shares, refunds, booked }: { shares: Share[]; refunds: Refund[]; booked: Map<string, Booked> },
  now: Date,
): Leg[] {
  const given = refunds.filter(({ status }) => status !== 'cancelled');
  const legs = [...new Set(shares.map(({ asset }) => asset))].flatMap((asset) => {
    const sumOf = (to: Share['to'], part: keyof RefundParts): bigint => {
      const share = shares.filter((each) => each.asset === asset && each.to === to);
      const refunded = given.filter((each) => each.asset === asset);
      return (
        share.reduce((sum, { units }) => sum + units, 0n) -
        refunded.reduce((sum, { parts }) => sum + parts[part], 0n)
      );
    };
    const owed = sumOf('overpayment', 'overpayment');
    const overpayment = owed > 0n ? owed : 0n;
    const fee = sumOf('fee', 'fees');
    const rest = (booked.get(asset) ?? notBooked).suspense - overpayment - fee;
    const parts = { business: rest, fee, overpayment };
    return shareKinds.flatMap((to): Leg[] => {
      const units = parts[to];
      if (units > 0n) return [outOfSuspense(payment, { asset, to, units }, now)];
      if (units === 0n) return [];
      const leg = reversed(outOfSuspense(payment, { asset, to, units: -units }, now));
      return [to === 'business' ? { ...leg, ifShort: 'owed' } : leg];
    });
  });
  return inFirst(legs);
}

const shareKinds = ['business', 'fee', 'overpayment'] as const;

const reversed = ({ debit, credit, ...leg }: Leg): Leg => ({ ...leg, debit: credit, credit: debit });

/** What comes into suspense comes first, and of that what the business gives. */
function inFirst(legs: readonly Leg[]): Leg[] {
  const placeOf = ({ ifShort, debit }: Leg): number =>
    ifShort === 'owed' ? 0 : debit.kind === 'suspense' ? 2 : 1;
  return legs.toSorted((one, other) => placeOf(one) - placeOf(other));
}

const creditOf = (
  { id: causeId, integrationId: owner, mode }: Payment,
  assets: readonly string[],
): Credit => ({
  ...{ owner, mode, assets, causeId },
});

/** Books money that came after the payment had been settled: it is owed to the customer. */
export function settleOverpayment(
  changes: Changes,
  payment: Payment,
  { asset, units }: Pick<TransferRow, 'asset' | 'units'>,
): void {
  changes.post([outOfSuspense(payment, { asset, units, to: 'overpayment' }, changes.deps.now())]);
}

function outOfSuspense(payment: Payment, { asset, units, to }: Share, now: Date): Leg {
  const owner = payment.integrationId;
  const credit: Record<Share['to'], Party> = {
    business: { kind: 'business', owner },
    fee: feeAccount,
    overpayment: { kind: 'payable', owner },
  };
  return {
    id: newId(now),
    mode: payment.mode,
    asset,
    units,
    debit: { kind: 'suspense', owner },
    credit: credit[to],
    cause: { business: 'payment_settled', fee: 'payment_fee', overpayment: 'payment_surplus' }[to],
    causeId: payment.id,
  };
}

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
 * its share becomes a receivable (contract.md#states).
 */
export async function reverseShares(changes: Changes, id: string): Promise<void> {
  const now = changes.deps.now();
  const payment = changes.payment(id);
  const { integrationId: owner, mode } = payment;
  const suspense: Party = { kind: 'suspense', owner };
  const legs: Leg[] = [];
  const credited: string[] = [];
  for (const [asset, booked] of await changes.bookedOf(id)) {
    const add = (units: bigint, from: Party, cause: string, ifShort?: Leg['ifShort']): void => {
      if (units === 0n) return;
      const [debit, credit] = units > 0n ? [from, suspense] : [suspense, from];
      const sum = units > 0n ? units : -units;
      legs.push({
        id: newId(now),
        mode,
        asset,
        units: sum,
        debit,
        credit,
        cause,
        causeId: id,
        ...(ifShort && { ifShort }),
      });
    };
    add(booked.fees, feeAccount, 'payment_fee_returned');
    add(booked.overpayment, { kind: 'payable', owner }, 'payment_surplus_returned');
    const business: Party = { kind: 'business', owner };
    if (booked.business > 0n) add(booked.business, business, 'payment_taken_back', 'owed');
    // It paid more back to the customer than its share, or bore a loss: what there is of the rest is the business's again.
    const rest = booked.suspense + booked.fees + booked.overpayment;
    if (booked.business < 0n && rest > 0n) {
      credited.push(asset);
      add(booked.business > -rest ? booked.business : -rest, business, 'payment_taken_back');
    }
  }
  changes.post(inFirst(legs), creditOf(payment, credited));
  changes.changePayment({ ...payment, sharesReversed: true });
}
