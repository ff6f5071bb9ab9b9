import type { Party } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import { type Assets, currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import { type Charge, type ChargedPayment, chargedOf, type Payment } from '../payment/payment.ts';
import { type Booked, notBooked } from './booked.ts';
import type { Changes } from './changes.ts';
import type { NewLeg } from './legs.ts';
import { completingUnits, countingOf, dueUnits, finalUnits, sendableUnits } from './received.ts';
import type { Refund, RefundParts } from './refund.ts';
import type { TransferRow } from './transfer.ts';

// A settlement divides a payment's money into shares: of the business, of the fee, and the customer's overpayment.
// What is left of the shares goes back to suspense before all of the money leaves.

/** One part of what was received, in one asset's own units. */
export type Share = { asset: string; to: 'business' | 'fee' | 'overpayment'; units: bigint };

/**
 * The shares of what arrived: first the business's, then the fee; the rest is the customer's overpayment. The shares of one
 * asset sum up to what arrived in it. Where less came than is due, the fee is the same part of the whole fee
 * (contract.md#states: the fee on what came). What went to the merchant's own address, `direct` at `fineScale`, has paid a
 * part of what is due, with the fee on it.
 */
export function settledShares(
  received: { asset: string; scale: number; units: bigint }[],
  payment: Pick<ChargedPayment, 'amountDue' | 'fee' | 'currency' | 'shortUnits'>,
  direct = 0n,
): Share[] {
  const shares: Share[] = [];
  const wholeDue = completingUnits(payment);
  const due = direct < wholeDue ? wholeDue - direct : 0n;
  const total = received.reduce((sum, each) => sum + rescale(each.units, each.scale, fineScale), 0n);
  const paid = total < due ? total : due;
  const fee = feeOn(payment, paid);
  const wanted = { business: paid - fee, fee };
  for (const { asset, scale, units } of received) {
    let left = units;
    for (const to of ['business', 'fee'] as const) {
      // Rounded up: where less than this asset's smallest unit is missing, the merchant gets a whole one.
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

/** The fee on what was `paid`, at `fineScale`: its part of the frozen fee, rounded half up at the currency's scale. */
function feeOn(payment: Pick<Charge, 'amountDue' | 'fee' | 'currency'>, paid: bigint): bigint {
  const due = dueUnits(payment);
  const units = (2n * payment.fee * paid + due) / (2n * due);
  const fee = rescale(units, currencyScale[payment.currency], fineScale);
  return fee < paid ? fee : paid;
}

/** The shares of a payment's final transfers. */
export function settledSharesOf(assets: Assets, payment: ChargedPayment, transfers: TransferRow[]): Share[] {
  const received = transfers
    .filter(({ state, is_direct }) => state === 'final' && !is_direct)
    .map(({ asset, units }) => ({ asset, scale: assets.get(asset).scale, units }));
  const direct = transfers.filter(({ is_direct }) => is_direct);
  return settledShares(received, payment, finalUnits(assets, direct));
}

/**
 * Books the money of a payment that has just been completed: to the business, as the fee and as overpayment, out of
 * suspense. The business pays first what it owes.
 */
export async function settle(changes: Changes, id: string): Promise<void> {
  const { assets } = changes.deps;
  const payment = chargedOf(changes.payment(id));
  const { integrationId: owner } = payment;
  const shares = settledSharesOf(assets, payment, countingOf(assets, payment, changes.transfersOf(id)));
  const credited = new Set(shares.flatMap(({ to, asset }) => (to === 'business' ? asset : [])));
  const net = payment.hasRefunds
    ? netShares(shares, changes.refundsOf(id), await changes.bookedOf(id))
    : shares;
  changes.post(id, legsOf(net, owner, settlementCauses), { owner, assets: [...credited] });
  if (payment.sharesReversed) changes.changePayment({ ...payment, sharesReversed: false });
}

/**
 * The shares of a payment with refunds that were sent, or are under way: each account gets its share less what it gave for
 * them, and gives where that is less than nothing. The business has the rest: it pays for refunds of an overpayment that is
 * no longer there.
 */
function netShares(
  shares: readonly Share[],
  refunds: readonly Refund[],
  booked: ReadonlyMap<string, Booked>,
): Share[] {
  return [...new Set(shares.map(({ asset }) => asset))].flatMap((asset): Share[] => {
    const shareOf = (to: Share['to']): bigint =>
      shares.reduce((sum, each) => (each.asset === asset && each.to === to ? sum + each.units : sum), 0n);
    const given = refunds.filter(
      (each) => each.asset === asset && !each.isDirect && each.status !== 'cancelled',
    );
    const givenBy = (part: keyof RefundParts): bigint =>
      given.reduce((sum, { parts }) => sum + parts[part], 0n);
    const owed = shareOf('overpayment') - givenBy('overpayment');
    const overpayment = owed > 0n ? owed : 0n;
    const fee = shareOf('fee') - givenBy('fees');
    const { suspense } = booked.get(asset) ?? notBooked;
    return [
      { asset, to: 'business', units: suspense - overpayment - fee },
      { asset, to: 'fee', units: fee },
      { asset, to: 'overpayment', units: overpayment },
    ];
  });
}

/** Books money that came after the payment had been settled: it is owed to the customer. */
export function settleOverpayment(
  changes: Changes,
  { id, integrationId: owner }: Payment,
  { asset, units }: Pick<TransferRow, 'asset' | 'units'>,
): void {
  changes.post(id, legsOf([{ asset, to: 'overpayment', units }], owner, settlementCauses));
}

const settlementCauses = {
  business: 'payment_settled',
  fee: 'payment_fee',
  overpayment: 'payment_surplus',
} as const;
const reversalCauses = {
  business: 'payment_taken_back',
  fee: 'payment_fee_returned',
  overpayment: 'payment_surplus_returned',
} as const;

/**
 * The legs that give shares out of suspense, or take them back where their units are less than nothing. Those into suspense
 * come first, and of these what the business gives: it owes what it lacks.
 */
function legsOf(shares: readonly Share[], owner: string, causes: Record<Share['to'], string>): NewLeg[] {
  const suspense: Party = { kind: 'suspense', owner };
  const parties: Record<Share['to'], Party> = {
    business: { kind: 'business', owner },
    fee: feeAccount,
    overpayment: { kind: 'payable', owner },
  };
  const legs = shares.map(({ asset, to, units }): NewLeg => {
    const leg = { asset, cause: causes[to] };
    if (units >= 0n) return { ...leg, units, debit: suspense, credit: parties[to] };
    const back = { ...leg, units: -units, debit: parties[to], credit: suspense };
    return to === 'business' ? { ...back, ifShort: 'owed' } : back;
  });
  const placeOf = ({ ifShort, debit }: NewLeg): number =>
    ifShort === 'owed' ? 0 : debit.kind === 'suspense' ? 2 : 1;
  return legs.sort((one, other) => placeOf(one) - placeOf(other));
}

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
  const payment = changes.payment(id);
  const { integrationId: owner } = payment;
  const booked = [...(await changes.bookedOf(id))];
  const shares = booked.flatMap(([asset, each]): Share[] => [
    { asset, to: 'business', units: -takenFromBusiness(each) },
    { asset, to: 'fee', units: -each.fees },
    { asset, to: 'overpayment', units: -each.overpayment },
  ]);
  const credited = shares.flatMap(({ to, asset, units }) => (to === 'business' && units > 0n ? asset : []));
  changes.post(id, legsOf(shares, owner, reversalCauses), { owner, assets: credited });
  changes.changePayment({ ...payment, sharesReversed: true });
}

/**
 * What the business gives back of its share. Where it paid more back to the customer than its share, or bore a loss, it gets
 * what there is of the rest (less than nothing).
 */
function takenFromBusiness({ suspense, business, fees, overpayment }: Booked): bigint {
  if (business >= 0n) return business;
  const rest = suspense + fees + overpayment;
  if (rest <= 0n) return 0n;
  return business > -rest ? business : -rest;
}
