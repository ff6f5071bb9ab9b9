import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { AccountRef, Party } from '../../ledger/ledger.ts';
import { directAccountOf, directPlaceOf } from '../../ledger/places.ts';
import type { Observation } from '../../rails/rail.ts';
import { chargedOf, type Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { notBooked } from './booked.ts';
import { type Changes, lockForChanges } from './changes.ts';
import { fixCurrency } from './fix-currency.ts';
import { bringUpToDate, raiseVersion } from './moves.ts';
import { completingUnits, countingOf, finalUnits, isOfCurrency } from './received.ts';
import { refundDirect, refundOwed } from './refund-money.ts';
import { reverseTransfer } from './reversal.ts';
import { isSettled, reverseShares, settle, settleOverpayment } from './settle.ts';
import { reported, type TransferRow } from './transfer.ts';

/** A transfer as it was seen, and the moment at which that happened to its payment. */
export type TransferReport = {
  seen: Observation;
  at: Date;
  /** The account that it comes out of; absent: the one that stands for the world outside on this rail. */
  source?: Party;
};

/**
 * Takes what rails saw: transfers, their booking when they are final, the statuses that follow and their events, all
 * in this transaction. Reports of one payment are taken in their order. A transfer that was final before changes
 * nothing, unless it has left its chain: then its booking is reversed. `others` are accounts to which the transaction books
 * afterwards: they are locked with the payments'. Returns the payments as they then are, in the order of their ids. Refuses
 * `insufficient_balance` where a source has too little.
 */
export async function recordTransfers(
  tx: Tx,
  deps: StateDeps,
  reports: readonly TransferReport[],
  others: readonly AccountRef[] = [],
): Promise<Payment[]> {
  if (reports.length === 0) return [];
  const ids = [...new Set(reports.map(({ seen }) => seen.paymentId))].sort();
  const keys = reports.map(({ seen }) => seen);
  const changes = await lockForChanges(tx, deps, ids, keys);
  await lockReported(changes, reports, others);
  for (const report of reports) await applyReport(changes, report);
  await changes.flush();
  return ids.map((id) => changes.payment(id));
}

/**
 * Locks the accounts to which may be booked what is reported of payments that are open for changes. To be called before
 * the first report is applied: one may end payouts at once.
 */
export async function lockReported(
  changes: Changes,
  reports: readonly TransferReport[],
  others: readonly AccountRef[] = [],
): Promise<void> {
  const wanted = new Map<string, string[]>();
  for (const { seen } of reports) {
    const wasFinal = changes.transferOf(seen.rail, seen.key)?.state === 'final';
    if (seen.state !== 'final' && !(seen.state === 'gone' && wasFinal)) continue;
    const { paymentId, asset } = seen;
    wanted.set(paymentId, [...(wanted.get(paymentId) ?? []), asset]);
  }
  if (wanted.size === 0) return;
  const accounts = [...sourcesOf(changes, reports), ...others];
  const mayEndPayouts = [...wanted.keys()].some((id) => changes.payment(id).hasRefunds);
  if (mayEndPayouts) await changes.lockMoney(wanted, accounts);
  else await changes.lockMoneyAtWrite(wanted, accounts);
}

/** The accounts that what is final comes out of. */
function sourcesOf(changes: Changes, reports: readonly TransferReport[]): AccountRef[] {
  return reports
    .filter(({ seen }) => seen.state === 'final')
    .flatMap(({ seen: { paymentId, rail, asset, direct }, source }) => {
      const { mode, integrationId } = changes.payment(paymentId);
      const parties = direct
        ? [directPlaceOf(rail), directAccountOf(integrationId)]
        : [source ?? outsideOf(rail)];
      return parties.map((party) => ({ ...party, mode, asset }));
    });
}

const outsideOf = (rail: string): Party => ({ kind: 'external', owner: rail });

/**
 * Brings a payment up to date where something was due for it before `at`. It is called before what happens at `at` is among
 * the facts, which must not decide what was due earlier.
 */
export async function catchUp(changes: Changes, id: string, at: Date): Promise<void> {
  const { unreadSince, dueAt } = changes.payment(id);
  const due = unreadSince ?? dueAt;
  if (due !== null && due < at) await bringUpToDate(changes, id, at);
}

/** Takes one report of a payment that is open for changes, and all that follows from it. */
export async function applyReport(changes: Changes, report: TransferReport): Promise<void> {
  const { seen, at } = report;
  const id = seen.paymentId;
  assertOfMode(changes, seen);
  await catchUp(changes, id, at);
  const before = changes.transferOf(seen.rail, seen.key);
  const transfer = reported(before, seen, at, newId(at));
  if (transfer === null) return;
  changes.changeTransfer(transfer);
  fixCurrency(changes, transfer);
  if (transfer.state === 'final') await bookFinal(changes, transfer, report.source ?? outsideOf(seen.rail));
  else if (before?.state === 'final') await reverseTransfer(changes, transfer);
  // A rail that has a time of its own is awaited by whom it brought something.
  raiseVersion(changes, id, seen.takenAt ? [seen.rail] : []);
  await bringUpToDate(changes, id, at);
}

/**
 * Throws for a transfer of a network to a payment of the other mode: neither money is ever booked as the other. What has no
 * time of its own is of no network: simulated, or of a wallet.
 */
function assertOfMode(changes: Changes, { rail, key, paymentId, asset, takenAt }: Observation): void {
  const { mode } = changes.payment(paymentId);
  const own = changes.deps.assets.modeOf(asset);
  if (mode === own || (own === 'live' && takenAt === undefined)) return;
  throw new Error(`Transfer ${rail} ${key} is ${own} money, and payment ${paymentId} is of ${mode} mode`);
}

/**
 * Books a final transfer to suspense, and further; what goes to the merchant's own address to the account that mirrors it,
 * whatever the payment's status is: nobody but the merchant can give it back. Of a settled payment it is an overpayment. Of one that was refunded
 * before the transfer left its chain the business gets what it bore for that; what an appeal refunded of it is refunded
 * again.
 */
async function bookFinal(changes: Changes, transfer: TransferRow, debit: Party): Promise<void> {
  const { payment_id: id, ledger_id, asset, units, returned_at } = transfer;
  const payment = changes.payment(id);
  const leg = { id: ledger_id, asset, units, cause: 'payment_received' };
  if (transfer.is_direct) {
    const credit = directAccountOf(payment.integrationId);
    changes.post(id, [{ ...leg, debit: directPlaceOf(transfer.rail), credit }]);
    if (returned_at !== null) refundDirect(changes, id, asset);
    return;
  }
  const credit = { kind: 'suspense', owner: payment.integrationId } as const;
  changes.post(id, [{ ...leg, debit, credit, ifShort: 'refused' }]);
  if (isOfCurrency(changes.deps.assets, payment, transfer) && isSettled(payment)) {
    return await settleLater(changes, payment, transfer);
  }
  const left = payment.hasRefunds ? units - (await repayBorne(changes, transfer)) : units;
  if (returned_at !== null && left > 0n) refundOwed(changes, id, asset, left);
}

/**
 * Books money that came after the settlement: an overpayment. Where the business bore a refund of an overpayment that was
 * gone for a while, the shares are divided anew.
 */
async function settleLater(changes: Changes, payment: Payment, transfer: TransferRow): Promise<void> {
  const { assets } = changes.deps;
  const all = countingOf(assets, payment, changes.transfersOf(payment.id));
  const before = all.filter(({ key, rail }) => key !== transfer.key || rail !== transfer.rail);
  if (!payment.hasRefunds || finalUnits(assets, before) < completingUnits(chargedOf(payment))) {
    return settleOverpayment(changes, payment, transfer);
  }
  await reverseShares(changes, payment.id);
  await settle(changes, payment.id);
}

/** Gives the business out of a transfer that came back what it bore for refunds meanwhile; returns how much that is. */
async function repayBorne(changes: Changes, transfer: TransferRow): Promise<bigint> {
  const { payment_id: id, asset } = transfer;
  const { integrationId: owner } = changes.payment(id);
  const { business } = (await changes.bookedOf(id)).get(asset) ?? notBooked;
  const borne = business < 0n ? -business : 0n;
  const units = borne < transfer.units ? borne : transfer.units;
  const sides = { debit: { kind: 'suspense', owner }, credit: { kind: 'business', owner } } as const;
  changes.post(id, [{ asset, units, ...sides, cause: 'payment_lost' }], { owner, assets: [asset] });
  return units;
}
