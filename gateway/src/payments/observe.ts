import { afterCommit, type Reader, type Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { type AccountRef, type Party, postAll, postTransfers } from '../ledger/ledger.ts';
import { repayReceivable } from '../ledger/receivable.ts';
import type { Assets } from '../money/assets.ts';
import type { Observation } from '../rails/rail.ts';
import { reachOf, type Wait, waitOf } from './await-rails.ts';
import { bookedIn } from './booked.ts';
import { decide, type Facts, isCovered, nextDue, unusualOf } from './decide.ts';
import { lockMoney, lockPayment } from './locks.ts';
import { type Payment, unusuals } from './payment.ts';
import { type PaymentRow, paymentOf } from './payment-row.ts';
import { countingOf, dueUnits, finalUnits, fineUnits, isOfCurrency, transfersOf } from './received.ts';
import { refundRest, reverseTransfer } from './reversal.ts';
import { settle, settleOverpayment } from './settle.ts';
import { isSettled, reverseShares } from './settled-shares.ts';
import { noteDueSql, type TransferRow, touchSql, upsertTransferSql, type WrittenTransfer } from './sql.ts';
import { moveLocked, type StateDeps } from './state.ts';

export type Taking = {
  /** Whose money it is: the world behind the rail, unless a wallet pays. */
  source?: Party;
  /** Of all that this transaction may book for the payment, where that is more than this transfer. */
  assets?: readonly string[];
  /** Accounts to which the transaction books afterwards; they are locked with the payment's own. */
  others?: readonly AccountRef[];
};

/**
 * Takes what a rail saw: the transfer, its booking when it is final, the status that follows and its event,
 * all in this transaction. `at` is where the news belongs among what happened to the payment: when the chain took a
 * transfer that is reported for the first time, else this moment.
 * A transfer that was final before changes nothing, unless it has left its chain: then its booking is reversed.
 * Throws `insufficient_balance` when the source has not that much.
 */
export async function recordTransfer(
  tx: Tx,
  deps: StateDeps,
  seen: Observation,
  at: Date = deps.now(),
  { source = { kind: 'external', owner: seen.rail }, assets = [], others = [] }: Taking = {},
): Promise<Payment> {
  const locked = await lockPayment(tx, seen.paymentId);
  await lockFor(tx, locked, seen, { source, assets, others });
  // What was due before this transfer is judged without it, as far as rails were read.
  const due = locked.unreadSince ?? locked.dueAt;
  const payment = due && due < at ? await bringUpToDate(tx, deps, locked, at) : locked;
  const { rows } = await tx.query<WrittenTransfer>(upsertTransferSql, [
    seen.rail,
    seen.key,
    payment.id,
    newId(at),
    seen.transaction,
    seen.asset,
    seen.units,
    seen.state,
    seen.confirmations,
    seen.needed,
    seen.takenAt ?? null,
    seen.sender ?? null,
    at,
  ]);
  const transfer = rows[0];
  if (!transfer) return payment;
  let current = payment;
  if (transfer.state === 'final') await book(tx, deps, payment, transfer, source);
  else if (transfer.state_before === 'final') current = await reverseTransfer(tx, deps, payment, transfer);
  // A rail that has a time of its own is awaited by whom it brought something.
  const rail = seen.takenAt ? seen.rail : null;
  return await bringUpToDate(tx, deps, await touch(tx, deps, current, rail), at);
}

/** Locks the accounts for this transfer and those that are reported with it, where something may be booked. */
async function lockFor(
  tx: Tx,
  payment: Payment,
  { rail, key, state, asset }: Observation,
  taking: Required<Taking>,
): Promise<void> {
  const wasFinal = state === 'gone' && (await isFinal(tx, rail, key));
  const assets = state === 'final' || wasFinal ? [...taking.assets, asset] : taking.assets;
  if (assets.length === 0) return;
  const sources =
    state === 'final' ? assets.map((each) => ({ ...taking.source, mode: payment.mode, asset: each })) : [];
  await lockMoney(tx, [{ payment, assets }], [...sources, ...taking.others]);
}

async function isFinal(reader: Reader, rail: string, key: string): Promise<boolean> {
  const { rowCount } = await reader.query(
    "SELECT FROM payment_transfers WHERE rail = $1 AND key = $2 AND state = 'final'",
    [rail, key],
  );
  return rowCount === 1;
}

/**
 * Books a final transfer: to suspense until the payment is settled, after that as an overpayment. Of one that was
 * refunded before it left its chain the business gets what it bore for that when it comes back.
 */
async function book(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  transfer: TransferRow,
  source: Party,
): Promise<void> {
  const now = deps.now();
  const { mode, integrationId: owner } = payment;
  const [outcome] = await postTransfers(
    tx,
    [
      {
        id: transfer.ledger_id,
        mode,
        asset: transfer.asset,
        units: transfer.units,
        debit: source,
        credit: { kind: 'suspense', owner },
        cause: 'payment_received',
        causeId: payment.id,
      },
    ],
    now,
  );
  if (outcome === 'insufficient') throw refuse(ledgerErrors.insufficient_balance);
  if (outcome !== 'posted') throw new Error(`Transfer ${transfer.rail} ${transfer.key}: ${outcome}`);
  if (isOfCurrency(deps.assets, payment, transfer) && isSettled(payment)) {
    await settleLater(tx, deps, payment, transfer, now);
    return;
  }
  const left = payment.hasRefunds ? await repayBorne(tx, payment, transfer, now) : transfer.units;
  if (transfer.returned_at !== null && left > 0n) {
    await refundRest(tx, deps, payment, transfer.asset, left, now);
  }
}

/**
 * Books money that came after the settlement: an overpayment. Where the business bore a refund of an overpayment that was
 * gone for a while, the shares are divided anew.
 */
async function settleLater(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  transfer: TransferRow,
  now: Date,
): Promise<void> {
  if (!payment.hasRefunds) return await settleOverpayment(tx, payment, transfer, now);
  const all = countingOf(deps.assets, payment, await transfersOf(tx, payment.id));
  const before = all.filter(({ key, rail }) => key !== transfer.key || rail !== transfer.rail);
  if (finalUnits(deps.assets, before) < dueUnits(payment)) {
    return await settleOverpayment(tx, payment, transfer, now);
  }
  await settle(tx, deps.assets, await reverseShares(tx, payment, now), all, now);
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
  await repayReceivable(tx, { owner, mode }, [asset], causeId, now);
  return units - repaid;
}

/**
 * Moves the payment to the status that the facts call for at this moment, or at the earlier one up to which the
 * rails that it awaits were read; settles it when it is paid, and notes when to look again.
 */
export async function bringUpToDate(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  at: Date = deps.now(),
): Promise<Payment> {
  const transfers = countingOf(deps.assets, payment, await transfersOf(tx, payment.id));
  const reach = await reachOf(tx, deps, payment, factsOf(deps.assets, payment, transfers), at);
  let current = payment;
  for (;;) {
    const move = decide(factsOf(deps.assets, current, transfers), reach.through);
    if (!move) break;
    current = await moveLocked(tx, deps, current, move);
    if (current.status === 'completed') await settle(tx, deps.assets, current, transfers, deps.now());
  }
  const facts = factsOf(deps.assets, current, transfers);
  if (current.reason === 'disputed' && isCovered(facts) && !isSettled(current)) {
    // What had left its chain came back: while a dispute is open the money is where it was.
    await settle(tx, deps.assets, current, transfers, deps.now());
  }
  const next = nextDue(facts, reach.through);
  return await noteDue(tx, deps, current, facts, next, waitOf(current, next, reach, at, deps.now()));
}

async function noteDue(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  facts: Facts,
  next: Date | null,
  wait: Wait | null,
): Promise<Payment> {
  const noted = {
    dueAt: wait?.until ?? next,
    unreadRails: wait?.rails ?? null,
    unreadSince: wait?.since ?? null,
    unusual: unusualOf(facts),
  };
  const { rows } = await tx.query<{ version: number }>({
    name: 'note-due',
    text: noteDueSql,
    values: [
      payment.id,
      noted.dueAt,
      noted.unreadRails,
      noted.unreadSince,
      ...unusuals.map((each) => noted.unusual.includes(each)),
    ],
  });
  const version = rows[0]?.version ?? payment.version;
  if (version !== payment.version) afterCommit(tx, () => deps.hints.send('payment', payment.id));
  return { ...payment, ...noted, version };
}

/** Counts a change that the hosted page shows, and notifies the open pages; `rail` is awaited from now on. */
export async function touch(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  rail: string | null = null,
): Promise<Payment> {
  const touched = await tx.query<PaymentRow>(touchSql, [payment.id, rail]);
  afterCommit(tx, () => deps.hints.send('payment', payment.id));
  return paymentOf(oneRow(touched, 'touch'));
}

function factsOf(assets: Assets, payment: Payment, transfers: TransferRow[]): Facts {
  return {
    status: payment.status,
    reason: payment.reason,
    due: dueUnits(payment),
    deadline: payment.deadline,
    lateUntil: payment.lateUntil,
    transfers: transfers.map((transfer) => ({
      units: fineUnits(assets, transfer),
      state: transfer.state,
      seenAt: transfer.seen_at,
      goneAt: transfer.gone_at,
    })),
  };
}
