import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type Party, postAll, type Transfer } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import { coverShortage, repayReceivable, repayReceivables } from '../../ledger/receivable.ts';
import { type Assets, currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { bookedOf } from './booked.ts';
import { type Changes, changed } from './changes.ts';
import { countingOf, dueUnits, sendableUnits } from './received.ts';
import { type RefundParts, refundsOf } from './refund.ts';
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
 * Books a payment that has just been completed: business balance, fee and overpayment, out of suspense. What the
 * business owes is paid first.
 */
export async function settle(changes: Changes, id: string): Promise<void> {
  const { tx, deps } = changes;
  const payment = changes.payment(id);
  const { integrationId: owner, mode } = payment;
  const now = deps.now();
  const transfers = countingOf(deps.assets, payment, changes.transfersOf(id));
  const shares = settledSharesOf(deps.assets, payment, transfers);
  const business = shares.filter(({ to }) => to === 'business').map(({ asset }) => asset);
  const credited = { owner, mode, assets: [...new Set(business)], causeId: id };
  if (payment.hasRefunds) {
    await changes.lockMoney(new Map([[id, []]]));
    await changes.aside(id, async () => {
      await settleNet(tx, payment, shares, now);
      await repayReceivables(tx, [credited], now);
    });
  } else {
    const legs = shares.map(({ asset, to, units }) => outOfSuspense(payment, asset, units, to, now));
    changes.post(legs, credited);
  }
  const settled = changes.payment(id);
  if (settled.sharesReversed) changes.changePayment({ ...settled, sharesReversed: false });
}

/** The same for one payment, written at once. */
export async function settlePayment(tx: Tx, deps: StateDeps, { id }: Pick<Payment, 'id'>): Promise<Payment> {
  return await changed(tx, deps, id, (changes) => settle(changes, id));
}

/**
 * The same for a payment with refunds that were sent, or are under way: each account gets its share less what it gave for
 * them. The business has the rest, and bears what an overpayment that is no longer there was refunded.
 */
async function settleNet(tx: Tx, payment: Payment, shares: readonly Share[], now: Date): Promise<void> {
  const owner = payment.integrationId;
  const refunds = (await refundsOf(tx, payment.id)).filter(({ status }) => status !== 'cancelled');
  const booked = await bookedOf(tx, payment);
  const legs: Transfer[] = [];
  const shortfalls: Transfer[] = [];
  for (const asset of new Set(shares.map((share) => share.asset))) {
    const given = (part: keyof RefundParts) =>
      refunds.filter((each) => each.asset === asset).reduce((sum, { parts }) => sum + parts[part], 0n);
    const shareOf = (to: Share['to']) =>
      shares
        .filter((each) => each.asset === asset && each.to === to)
        .reduce((sum, { units }) => sum + units, 0n);
    const owed = shareOf('overpayment') - given('overpayment');
    const overpayment = owed > 0n ? owed : 0n;
    const fee = shareOf('fee') - given('fees');
    const rest = (booked.get(asset)?.suspense ?? 0n) - overpayment - fee;
    const add = (list: Transfer[], to: Share['to'], units: bigint) => {
      if (units > 0n) list.push(outOfSuspense(payment, asset, units, to, now));
      else if (units < 0n) list.push(turned(outOfSuspense(payment, asset, -units, to, now)));
    };
    add(rest < 0n ? shortfalls : legs, 'business', rest);
    add(legs, 'fee', fee);
    add(legs, 'overpayment', overpayment);
  }
  const covered = await coverShortage(tx, { owner, mode: payment.mode }, shortfalls, now);
  // What comes into suspense comes first.
  const isOut = ({ debit }: Transfer): boolean => debit.kind === 'suspense';
  const sorted = [...legs.filter((leg) => !isOut(leg)), ...legs.filter(isOut)];
  await postAll(tx, [...covered, ...sorted], now);
}

const turned = ({ debit, credit, ...transfer }: Transfer): Transfer => ({
  ...transfer,
  debit: credit,
  credit: debit,
});

/** Books money that came after the payment had been settled: it is owed to the customer. */
export function settleOverpayment(
  changes: Changes,
  payment: Payment,
  { asset, units }: Pick<TransferRow, 'asset' | 'units'>,
): void {
  changes.post([outOfSuspense(payment, asset, units, 'overpayment', changes.deps.now())]);
}

function outOfSuspense(payment: Payment, asset: string, units: bigint, to: Share['to'], now: Date): Transfer {
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
 * its share becomes a receivable (contract.md#states). Returns the payment as it then is.
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
  await repayReceivable(tx, { owner, mode, assets: credited, causeId }, now);
  await tx.query('UPDATE payments SET shares_reversed = true WHERE id = $1', [payment.id]);
  return { ...payment, sharesReversed: true };
}
