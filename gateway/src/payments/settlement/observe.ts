import type { Tx } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { type AccountRef, type Party, postAll, postTransfers, type Transfer } from '../../ledger/ledger.ts';
import { repayReceivable } from '../../ledger/receivable.ts';
import type { Observation } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { bookedIn } from './booked.ts';
import { type Changes, openChanges } from './changes.ts';
import { lockPayment, lockPayments } from './locks.ts';
import { judge, touch } from './moves.ts';
import { countingOf, dueUnits, finalUnits, isOfCurrency } from './received.ts';
import { refundRest, reverseTransfer } from './reversal.ts';
import { isSettled, reverseShares, settleOverpayment, settlePayment } from './settle.ts';
import { reported, type TransferRow } from './transfer.ts';

/** A transfer as it was seen, and the moment where the news belongs among what happened to its payment. */
export type TransferReport = {
  seen: Observation;
  at: Date;
  /** Whose money it is: the world behind the rail, unless a wallet pays. */
  source?: Party;
};

/**
 * Takes what rails saw: transfers, their booking when they are final, the statuses that follow and their events, all
 * in this transaction. Reports of one payment are taken in their order. A transfer that was final before changes
 * nothing, unless it has left its chain: then its booking is reversed. Returns for each report why it was refused
 * (`insufficient_balance` when its source has not that much), or null; a refused one books nothing and leaves its
 * neighbours alone. `others` are accounts to which the transaction books afterwards: they are locked with the payments'.
 */
export async function recordTransfers(
  tx: Tx,
  deps: StateDeps,
  reports: readonly TransferReport[],
  others: readonly AccountRef[] = [],
): Promise<(Refusal | null)[]> {
  if (reports.length === 0) return [];
  const payments = await lockPayments(tx, [...new Set(reports.map(({ seen }) => seen.paymentId))]);
  const changes = await openFor(tx, deps, payments, reports);
  const refusals = await takeReports(changes, reports, others);
  await changes.flush();
  return refusals;
}

async function openFor(
  tx: Tx,
  deps: StateDeps,
  locked: readonly Payment[],
  reports: readonly TransferReport[],
): Promise<Changes> {
  const keys = reports.map(({ seen }) => seen);
  return await openChanges(tx, deps, locked, keys);
}

/** The same for one payment, which this transaction has locked. Throws a refusal; returns the payment as it then is. */
export async function recordFor(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  reports: readonly TransferReport[],
): Promise<Payment> {
  const changes = await openFor(tx, deps, [payment], reports);
  for (const refusal of await takeReports(changes, reports)) if (refusal) throw refusal;
  await changes.flush();
  return changes.payment(payment.id);
}

/** The same for one report. */
export async function recordTransfer(
  tx: Tx,
  deps: StateDeps,
  seen: Observation,
  at: Date = deps.now(),
  source?: Party,
): Promise<Payment> {
  const payment = await lockPayment(tx, seen.paymentId);
  return await recordFor(tx, deps, payment, [{ seen, at, ...(source && { source }) }]);
}

/** Takes reports of payments that are open for changes. */
export async function takeReports(
  changes: Changes,
  reports: readonly TransferReport[],
  others: readonly AccountRef[] = [],
): Promise<(Refusal | null)[]> {
  await lockFor(changes, reports, others);
  const refusals = new Map<TransferReport, Refusal>();
  for (const round of roundsOf(changes, reports)) {
    for (const { seen, at } of round) await catchUp(changes, seen.paymentId, at);
    const taken = round.flatMap((report) => {
      const { seen, at } = report;
      const before = changes.transferOf(seen.rail, seen.key);
      const transfer = reported(before, seen, at, newId(at));
      return transfer ? [{ report, before, transfer }] : [];
    });
    const unpaid = await bookReceived(changes, taken);
    for (const each of taken) {
      const refusal = unpaid.get(each.report);
      if (refusal) refusals.set(each.report, refusal);
      else await take(changes, each);
    }
  }
  return reports.map((report) => refusals.get(report) ?? null);
}

/** A report, with its transfer before and after it. */
type Taken = { report: TransferReport; before: TransferRow | undefined; transfer: TransferRow };

/** Reports in rounds: in each at most one that a payment is concerned by, also where a transfer becomes another's. */
function roundsOf(changes: Changes, reports: readonly TransferReport[]): TransferReport[][] {
  const rounds: TransferReport[][] = [];
  const next = new Map<string, number>();
  const owners = new Map<string, string>();
  for (const report of reports) {
    const { paymentId, rail, key } = report.seen;
    const transfer = `${rail} ${key}`;
    const owner = owners.get(transfer) ?? changes.transferOf(rail, key)?.payment_id ?? paymentId;
    owners.set(transfer, paymentId);
    const names = [transfer, paymentId, owner];
    const at = Math.max(...names.map((name) => next.get(name) ?? 0));
    for (const name of names) next.set(name, at + 1);
    rounds[at] = [...(rounds[at] ?? []), report];
  }
  return rounds;
}

/** Locks the accounts of the payments for which something may be booked. */
async function lockFor(
  changes: Changes,
  reports: readonly TransferReport[],
  others: readonly AccountRef[],
): Promise<void> {
  const wanted = new Map<string, string[]>();
  for (const { seen } of reports) {
    const wasFinal = changes.transferOf(seen.rail, seen.key)?.state === 'final';
    if (seen.state !== 'final' && !(seen.state === 'gone' && wasFinal)) continue;
    const { paymentId, asset } = seen;
    wanted.set(paymentId, [...(wanted.get(paymentId) ?? []), asset]);
  }
  if (wanted.size > 0) await changes.lockMoney(wanted, [...sourcesOf(changes, reports), ...others]);
}

/** The accounts that what is final comes out of. */
export function sourcesOf(changes: Changes, reports: readonly TransferReport[]): AccountRef[] {
  return reports
    .filter(({ seen }) => seen.state === 'final')
    .map(({ seen: { paymentId, rail, asset }, source }) => {
      const { mode } = changes.payment(paymentId);
      return { ...(source ?? worldBehind(rail)), mode, asset };
    });
}

const worldBehind = (rail: string): Party => ({ kind: 'external', owner: rail });

/** Whether something was due for a payment before this moment. */
export function isBehind({ unreadSince, dueAt }: Payment, at: Date): boolean {
  const due = unreadSince ?? dueAt;
  return due !== null && due < at;
}

/** What was due before this moment is judged without what came at it, as far as rails were read. */
export async function catchUp(changes: Changes, id: string, at: Date): Promise<void> {
  if (isBehind(changes.payment(id), at)) await judge(changes, id, at);
}

/**
 * Books what is final to suspense: at once where its source may be short of it, otherwise with all that follows.
 * Returns the refusals of what its source could not pay.
 */
async function bookReceived(
  changes: Changes,
  taken: readonly Taken[],
): Promise<Map<TransferReport, Refusal>> {
  const { tx, deps } = changes;
  const final = taken.filter(({ transfer }) => transfer.state === 'final');
  const legOf = ({ report: { source }, transfer }: Taken): Transfer => {
    const { ledger_id: id, payment_id: causeId, rail, asset, units } = transfer;
    const { mode, integrationId: owner } = changes.payment(causeId);
    const sides = { debit: source ?? worldBehind(rail), credit: { kind: 'suspense', owner } } as const;
    return { id, mode, asset, units, ...sides, cause: 'payment_received', causeId };
  };
  const mayBeShort = ({ report: { source } }: Taken): boolean =>
    source !== undefined && source.kind !== 'external';
  const [guarded, sure] = [final.filter(mayBeShort), final.filter((each) => !mayBeShort(each))];
  changes.post(sure.map(legOf));
  const outcomes = guarded.length === 0 ? [] : await postTransfers(tx, guarded.map(legOf), deps.now());
  const unpaid = new Map<TransferReport, Refusal>();
  for (const [at, { report, transfer }] of guarded.entries()) {
    const outcome = outcomes[at];
    if (outcome === 'insufficient') unpaid.set(report, refuse(ledgerErrors.insufficient_balance));
    else if (outcome !== 'posted') throw new Error(`Transfer ${transfer.rail} ${transfer.key}: ${outcome}`);
  }
  return unpaid;
}

/** Takes one report whose money is booked, and what follows from it. */
async function take(changes: Changes, { report: { seen, at }, before, transfer }: Taken): Promise<void> {
  const { tx, deps } = changes;
  const id = seen.paymentId;
  changes.changeTransfer(transfer);
  if (transfer.state === 'final') await settleReceived(changes, transfer);
  else if (before?.state === 'final') {
    await changes.aside(id, (payment) => reverseTransfer(tx, deps, payment, transfer));
  }
  // A rail that has a time of its own is awaited by whom it brought something.
  touch(changes, id, seen.takenAt ? [seen.rail] : []);
  await judge(changes, id, at);
}

/**
 * Books a final transfer further than to suspense: of a settled payment it is an overpayment. Of one that was refunded
 * before it left its chain the business gets what it bore for that when it comes back.
 */
async function settleReceived(changes: Changes, transfer: TransferRow): Promise<void> {
  const { tx, deps } = changes;
  const now = deps.now();
  const payment = changes.payment(transfer.payment_id);
  if (isOfCurrency(deps.assets, payment, transfer) && isSettled(payment)) {
    await settleLater(changes, payment, transfer);
    return;
  }
  if (!payment.hasRefunds && transfer.returned_at === null) return;
  await changes.aside(payment.id, async () => {
    const left = payment.hasRefunds ? await repayBorne(tx, payment, transfer, now) : transfer.units;
    if (transfer.returned_at !== null && left > 0n) {
      await refundRest(tx, deps, payment, transfer.asset, left, now);
    }
  });
}

/**
 * Books money that came after the settlement: an overpayment. Where the business bore a refund of an overpayment that was
 * gone for a while, the shares are divided anew.
 */
async function settleLater(changes: Changes, payment: Payment, transfer: TransferRow): Promise<void> {
  const { tx, deps } = changes;
  const all = countingOf(deps.assets, payment, changes.transfersOf(payment.id));
  const before = all.filter(({ key, rail }) => key !== transfer.key || rail !== transfer.rail);
  if (!payment.hasRefunds || finalUnits(deps.assets, before) < dueUnits(payment)) {
    settleOverpayment(changes, payment, transfer);
    return;
  }
  await changes.aside(payment.id, async () => {
    await settlePayment(tx, deps, await reverseShares(tx, payment, deps.now()));
  });
}

/**
 * Gives the business out of a transfer that came back what it bore for refunds while it was gone. Returns what is left in
 * suspense of the transfer.
 */
async function repayBorne(
  tx: Tx,
  payment: Payment,
  { asset, units }: TransferRow,
  now: Date,
): Promise<bigint> {
  const { mode, integrationId: owner, id: causeId } = payment;
  const { business } = await bookedIn(tx, payment, asset);
  const borne = business < 0n ? -business : 0n;
  const repaid = borne < units ? borne : units;
  if (repaid === 0n) return units;
  const sides = { debit: { kind: 'suspense', owner }, credit: { kind: 'business', owner } } as const;
  const transfer = { id: newId(now), mode, asset, units: repaid, ...sides, cause: 'payment_lost', causeId };
  await postAll(tx, [transfer], now);
  await repayReceivable(tx, { owner, mode, assets: [asset], causeId }, now);
  return units - repaid;
}
