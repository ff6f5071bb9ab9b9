import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { repayReceivable } from '../ledger/receivable.ts';
import { type Assets, currencyScale, fineScale } from '../money/assets.ts';
import { rescale } from '../money/money.ts';
import { lockMoney } from './locks.ts';
import type { Payment } from './payment.ts';
import { dueUnits, sendableUnits } from './received.ts';
import type { TransferRow } from './sql.ts';

export const feeAccount: Party = { kind: 'fees', owner: '' };

/** One part of what was received, in one asset's own units. */
export type Share = { asset: string; to: 'business' | 'fee' | 'overpayment'; units: bigint };

/**
 * The shares of what arrived: first the business's, then the fee; the rest is the customer's overpayment. The shares of one
 * asset sum up to what arrived in it. Where less came than is due, the fee is the same part of the whole fee
 * (contract.md 5: the fee on what came).
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
export async function settle(
  tx: Tx,
  assets: Assets,
  payment: Payment,
  transfers: TransferRow[],
  now: Date,
): Promise<void> {
  await lockMoney(tx, [{ payment }]);
  const shares = settledSharesOf(assets, payment, transfers);
  const legs = shares.map(({ asset, to, units }) => outOfSuspense(payment, asset, units, to, now));
  await postAll(tx, legs, now);
  const credited = shares.filter(({ to }) => to === 'business').map(({ asset }) => asset);
  const business = { owner: payment.integrationId, mode: payment.mode };
  await repayReceivable(tx, business, [...new Set(credited)], payment.id, now);
}

/** Books money that came after the payment had been settled: it is owed to the customer. */
export async function settleOverpayment(
  tx: Tx,
  payment: Payment,
  transfer: Pick<TransferRow, 'asset' | 'units'>,
  now: Date,
): Promise<void> {
  await postAll(tx, [outOfSuspense(payment, transfer.asset, transfer.units, 'overpayment', now)], now);
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
