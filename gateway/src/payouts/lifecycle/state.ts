import { gatewayActor, recordChange } from '../../identity/audit/audit-log.ts';
import type { Clock } from '../../kit/clock.ts';
import { afterCommit, type Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { newId } from '../../kit/ids.ts';
import { endHolds, placeHolds } from '../../ledger/holds.ts';
import { type AccountRef, lockAccounts, postAll, type Transfer } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import { coverShortage, debtorsAmong, repayReceivable, repayReceivables } from '../../ledger/receivable.ts';
import type { Assets } from '../../money/assets.ts';
import type { Sending } from '../../rails/rail.ts';
import {
  type Payout,
  type PayoutRow,
  type PayoutStatus,
  payoutOf,
  purposeNames,
  walletRail,
} from '../payout/payout.ts';
import { type Moved, type Purposes, purposeOf } from '../payout/purposes.ts';
import { movePayoutsSql } from '../payout/sql.ts';
import { releaseUses } from '../rules/limits.ts';
import type { MailApprovers } from './approval-mails.ts';
import { type PayoutEventType, recordPayoutEvents } from './events.ts';

/** What every change of a payout needs beside its transaction. */
export type PayoutDeps = {
  hints: Hints;
  assets: Assets;
  /** The rails that send, of test mode and of live mode. */
  sendings: readonly Sending[];
  purposes: Purposes;
  /** Mails those who may approve what was ordered; nobody is mailed without it. */
  mailApprovers?: MailApprovers;
  now: Clock;
};

/** The moves that a payout may make; `payouts` alone writes its status. */
export const moves: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  awaiting_approval: ['queued', 'cancelled', 'rejected'],
  // A rail may report what was sent and final at once.
  queued: ['sending', 'completed', 'cancelled', 'failed'],
  sending: ['queued', 'completed', 'failed'],
  // A reorg removed it: it is sent again, or ends as it had ended before it was paid.
  completed: ['sending', 'cancelled', 'rejected', 'failed'],
  // Its money left after it had ended.
  cancelled: ['completed'],
  rejected: ['completed'],
  failed: ['completed'],
};

/** Statuses of a payout that has ended without being paid. */
export const unpaidEnds: readonly PayoutStatus[] = ['cancelled', 'rejected', 'failed'];

/** Whether money left after its payout had ended unpaid, or such money came back. */
export const isLate = (from: PayoutStatus, to: PayoutStatus): boolean =>
  unpaidEnds.includes(from) || (from === 'completed' && unpaidEnds.includes(to));

export type Move = { payout: Payout; to: PayoutStatus; transaction?: string | null; why?: string | null };

/** The accounts that a payout may book on. */
function accountsOf({ debit, outside, mode, asset }: Payout): AccountRef[] {
  return [debit, outside, feeAccount].map((party) => ({ ...party, mode, asset }));
}

/** The transfers of a payout: its amount, and its fee where it has one. Their ids are those of its holds. */
export function transfersOf(payout: Payout, purposes: Purposes): Transfer[] {
  const { mode, asset, debit, outside, holdId, feeHoldId } = payout;
  const shared = { mode, asset, debit, causeId: payout.causeId ?? payout.id };
  const { cause } = purposeOf(purposes, payout.purpose);
  const amount = { ...shared, id: holdId, units: payout.units, credit: outside, cause };
  if (feeHoldId === null) return [amount];
  return [
    amount,
    {
      ...shared,
      id: feeHoldId,
      units: payout.fee,
      credit: feeAccount,
      cause: 'payout_fee',
      causeId: payout.id,
    },
  ];
}

/**
 * Moves payouts that this transaction has locked: the status, the money, what limits get back, the events, the order of
 * the rail, and what their purposes do. The only writer of a status. Each payout may be there once.
 */
export async function movePayouts(tx: Tx, deps: PayoutDeps, wanted: readonly Move[]): Promise<Payout[]> {
  if (wanted.length === 0) return [];
  for (const { payout, to } of wanted) {
    if (!moves[payout.status].includes(to)) throw new Error(`No move from ${payout.status} to ${to}`);
  }
  const now = deps.now();
  const freeing = wanted.filter(freesBalance).map(({ payout }) => payout.debit.owner);
  const debtors = freeing.length === 0 ? new Set() : await debtorsAmong(tx, freeing);
  await lockAccounts(
    tx,
    wanted.flatMap((move) => {
      const { payout, to } = move;
      const mayOwe = isLate(payout.status, to) || (freesBalance(move) && debtors.has(payout.debit.owner));
      return [...accountsOf(payout), ...(mayOwe ? debtAccountsOf(payout) : [])];
    }),
  );
  const booked = await bookMoves(tx, deps, wanted, now);
  const input = booked.map(({ payout, to, transaction, why, event, holds }) => ({
    id: payout.id,
    from: payout.status,
    to,
    transaction: transaction ?? null,
    why: why ?? null,
    hold_id: holds.holdId,
    fee_hold_id: holds.feeHoldId,
    events: event === null ? 0 : 1,
  }));
  const { rows } = await tx.query<PayoutRow>(movePayoutsSql, [JSON.stringify(input), now]);
  const isNow = new Map(rows.map((row) => [row.id, payoutOf(row)]));
  const moved = booked.map(({ payout, event }) => {
    const found = isNow.get(payout.id);
    if (!found) throw new Error(`Payout ${payout.id} moved while it was locked`);
    return { payout: found, from: payout.status, event };
  });
  await releaseUses(
    tx,
    moved.filter(({ payout }) => unpaidEnds.includes(payout.status)).map(({ payout }) => payout.id),
  );
  await orderQueued(tx, deps, moved);
  await recordPayoutEvents(tx, deps, moved, now);
  const late = moved.filter(({ payout, from }) => isLate(from, payout.status));
  await reportToPurposes(
    tx,
    deps.purposes,
    moved.filter((each) => !late.includes(each)),
    now,
  );
  for (const each of late) await bookLate(tx, deps.purposes, each, now);
  afterCommit(tx, () => {
    for (const { payout } of moved) deps.hints.send('payout', payout.id);
  });
  return await moveOnToWallets(
    tx,
    deps,
    moved.map(({ payout }) => payout),
  );
}

/** Moves queued payouts to wallets on at once: no rail carries them out, but the ledger, or another system. */
async function moveOnToWallets(tx: Tx, deps: PayoutDeps, payouts: readonly Payout[]): Promise<Payout[]> {
  const queued = payouts.filter(({ status, rail }) => status === 'queued' && rail === walletRail);
  const next = queued.map((payout): Move => {
    return { payout, to: purposeOf(deps.purposes, payout.purpose).afterQueued ?? 'completed' };
  });
  const moved = new Map((await movePayouts(tx, deps, next)).map((payout) => [payout.id, payout]));
  return payouts.map((payout) => moved.get(payout.id) ?? payout);
}

type Holds = Pick<Payout, 'holdId' | 'feeHoldId'>;
type Booked = Move & { event: PayoutEventType | null; holds: Holds };

/**
 * Ends the holds of payouts that end, and holds again what a reorg took back. What is released pays first what its owner
 * owes.
 */
async function bookMoves(tx: Tx, deps: PayoutDeps, wanted: readonly Move[], now: Date): Promise<Booked[]> {
  const inTime = wanted.filter(({ payout, to }) => !isLate(payout.status, to));
  const sent = inTime.filter(({ to }) => to === 'completed').map(({ payout }) => payout);
  const unpaid = inTime.filter(({ to }) => unpaidEnds.includes(to)).map(({ payout }) => payout);
  await endAll(tx, sent, 'posted', now);
  await endAll(tx, unpaid, 'voided', now);
  await repayReceivables(
    tx,
    wanted.filter(freesBalance).map(({ payout: { id, mode, asset, debit } }) => {
      return { owner: debit.owner, mode, assets: [asset], causeId: id };
    }),
    now,
  );
  const booked = wanted.map(({ payout, ...move }): Booked => {
    const isUndone = payout.status === 'completed' && move.to === 'sending';
    const feeHoldId = payout.feeHoldId === null ? null : newId(now);
    const holds = isUndone ? { holdId: newId(now), feeHoldId } : payout;
    return { ...move, payout, event: eventOf(payout, move.to), holds };
  });
  const reversals = booked.filter(({ payout, to }) => payout.status === 'completed' && to === 'sending');
  const back = reversals.flatMap(({ payout }) =>
    transfersOf(payout, deps.purposes).map((each) => reversed(each, now)),
  );
  await postAll(tx, back, now);
  const again = reversals.flatMap(({ payout, holds }) => transfersOf({ ...payout, ...holds }, deps.purposes));
  await placeHolds(tx, again, now);
  return booked;
}

async function endAll(
  tx: Tx,
  payouts: readonly Payout[],
  end: 'posted' | 'voided',
  now: Date,
): Promise<void> {
  const ids = payouts.flatMap(({ holdId, feeHoldId }) =>
    feeHoldId === null ? [holdId] : [holdId, feeHoldId],
  );
  const ended = await endHolds(tx, ids, end, now);
  const missing = ids.filter((id) => !ended.has(id));
  if (missing.length > 0) throw new Error(`Payouts have no holds ${missing.join(', ')}`);
}

function reversed({ debit, credit, ...transfer }: Transfer, now: Date): Transfer {
  return { ...transfer, id: newId(now), debit: credit, credit: debit, cause: `${transfer.cause}_undone` };
}

/** Gives newly queued payouts to their rails. A payout that its rail returned to the queue is with the rail already. */
async function orderQueued(tx: Tx, deps: PayoutDeps, moved: readonly Moved[]): Promise<void> {
  for (const { payout, from } of moved) {
    const isNew = payout.status === 'queued' && from !== 'sending';
    if (isNew && payout.rail !== walletRail) await orderOfRail(tx, deps, payout);
  }
}

/** Gives a payout to its rail. */
export async function orderOfRail(tx: Tx, deps: PayoutDeps, payout: Payout): Promise<void> {
  const { id, asset, units, to, memo } = payout;
  await sendingOf(deps, payout).order(tx, { id, asset, units, to, memo });
}

/** The rail that sends a payout. Throws where the configuration has lost it. */
export function sendingOf({ sendings }: PayoutDeps, { id, rail }: Payout): Sending {
  const sending = sendings.find((each) => each.rail === rail);
  if (!sending) throw new Error(`Nothing sends payout ${id}: ${rail} has no key`);
  return sending;
}

/** The event of a move, for payouts of merchants: each once in its life (contract.md#payouts). */
function eventOf({ status, purpose, completedAt }: Payout, to: PayoutStatus): PayoutEventType | null {
  if (purpose !== 'merchant_payout') return null;
  // Its completion was reported before.
  if (status === 'completed') return null;
  if (to === 'completed') return completedAt === null ? 'payout_completed' : null;
  if (to === 'failed') return 'payout_failed';
  return to === 'cancelled' || to === 'rejected' ? 'payout_cancelled' : null;
}

/** Whether a move gives a hold back to the balance of a business or a user. */
const freesBalance = ({ payout: { status, debit }, to }: Move): boolean =>
  unpaidEnds.includes(to) && !isLate(status, to) && (debit.kind === 'business' || debit.kind === 'user');

/** The accounts that may pay for money that left after its payout had ended, or that get a released hold first. */
function debtAccountsOf({ debit: { kind, owner }, mode, asset }: Payout): AccountRef[] {
  const kinds = {
    payable: ['business', 'receivable'],
    business: ['receivable'],
    user: ['receivable'],
  } as const;
  const own = kind === 'payable' || kind === 'business' || kind === 'user' ? kinds[kind] : [];
  return own.map((each) => ({ kind: each, owner, mode, asset }));
}

/**
 * Books money that left after its payout had ended. Whoever `late` of the purpose names pays for it, and owes what is
 * missing from their balance; if the money comes back, they get it. No fee is charged.
 */
async function bookLate(tx: Tx, purposes: Purposes, moved: Moved, now: Date): Promise<void> {
  const { id, purpose, mode, asset, units, outside: credit, transaction, integrationId } = moved.payout;
  const { cause, late } = purposeOf(purposes, purpose);
  const debit = (await late?.(tx, moved, now)) ?? moved.payout.debit;
  const causeId = moved.payout.causeId ?? id;
  const sides = { mode, asset, units, debit, credit };
  const transfer: Transfer = { ...sides, id: newId(now), cause: `${cause}_late`, causeId };
  const whose = debit.kind === 'business' || debit.kind === 'user' ? { owner: debit.owner, mode } : null;
  const isPaid = moved.payout.status === 'completed';
  if (isPaid) {
    await postAll(tx, whose ? await coverShortage(tx, whose, [transfer], now) : [transfer], now);
  } else {
    await postAll(tx, [reversed(transfer, now)], now);
    if (whose) await repayReceivable(tx, { ...whose, assets: [asset], causeId }, now);
  }
  const action = isPaid ? 'paid a payout that had ended' : 'took back a payout that had ended';
  const change = { action, subject: { kind: 'payout', id }, before: { status: moved.from }, integrationId };
  await recordChange(
    tx,
    gatewayActor,
    { ...change, after: { status: moved.payout.status, transaction } },
    now,
  );
}

async function reportToPurposes(
  tx: Tx,
  purposes: Purposes,
  moved: readonly Moved[],
  now: Date,
): Promise<void> {
  const byPurpose = Object.groupBy(moved, ({ payout }) => payout.purpose);
  for (const name of purposeNames) {
    const own = byPurpose[name];
    if (own) await purposeOf(purposes, name).moved?.(tx, own, now);
  }
}
