import type { PaymentStatus } from '../../src/payments/payment/payment.ts';
import { type ModelReport, type ModelTransfer, noteTransfer } from './model-transfers.ts';

// What contract.md#states says of one payment, in plain words and numbers, to be held against the real thing.
// It knows no database, no assets and no bookkeeping; times are milliseconds, money whole units.

const minute = 60_000;

export type Model = {
  status: PaymentStatus;
  reason: string | null;
  due: number;
  /** How much less completes it at its deadline. */
  tolerance: number;
  /** What it was completed with, where that was less than is due. */
  shortPaid: number | null;
  deadline: number;
  /** The moment that it is due since, while its rails have not read past it. */
  waitsSince: number | null;
  chosen: boolean;
  lateEnd: number;
  /** Late money never completes it: its quote is in a currency whose rate moves. */
  noLate: boolean;
  transfers: Map<string, ModelTransfer>;
  /** The transfers that were refunded: they no longer count. */
  returned: Set<string>;
  /** What the business received and the fee, while the payment is settled. */
  settled: { business: number; fee: number } | null;
  fee: number;
  completedAt: number;
  /** Where it stood before the appeal. */
  before: PaymentStatus;
  /** The events' names without `payment_`. */
  events: string[];
};

export function newModel(due: number, fee: number, now: number, tolerance = 0): Model {
  const deadline = now + 10 * minute;
  const transfers = new Map<string, ModelTransfer>();
  return {
    status: 'unlinked',
    reason: null,
    due,
    ...{ tolerance, shortPaid: null },
    deadline,
    waitsSince: null,
    chosen: false,
    ...{ lateEnd: 0, noLate: false },
    transfers,
    returned: new Set(),
    settled: null,
    fee,
    ...{ completedAt: Number.NaN, before: 'unlinked', events: [] },
  };
}

export const isOpen = ({ status }: Model): boolean => status === 'unlinked' || status === 'linked';

/** Late money may still complete it. */
const takesLate = ({ reason, noLate }: Model): boolean => reason === 'abandoned' && !noLate;

function counting({ transfers, returned }: Model): ModelTransfer[] {
  return [...transfers].filter(([key]) => !returned.has(key)).map(([, transfer]) => transfer);
}

/** What stands on its chain, or only what is final, and came by then. */
function arrived(model: Model, kind: 'standing' | 'final', by = Number.POSITIVE_INFINITY): number {
  return counting(model)
    .filter(({ state, seenAt }) => (kind === 'final' ? state === 'final' : state !== 'gone') && seenAt <= by)
    .reduce((sum, { units }) => sum + units, 0);
}

/** What completes it. */
const completing = ({ due, shortPaid }: Model): number => shortPaid ?? due;

/** Less than a thousandth of what is due moves nothing. */
const moves = ({ due }: Model, units: number): boolean => units >= due / 1000;

function become(model: Model, status: PaymentStatus, event: string, reason: string | null = null): void {
  model.before = model.status;
  model.status = status;
  model.reason = reason;
  model.events.push(event);
  if (status === 'completed' && !model.settled) model.settled = settledShares(model);
}

function complete(model: Model, now: number, reason: string | null = null): void {
  const isFirst = !model.events.includes('completed');
  if (isFirst) model.completedAt = now;
  become(model, 'completed', isFirst ? 'completed' : 'appeal_closed', reason);
}

/** The fee on what came, up to what completes it, and the rest of that to the business. */
function settledShares(model: Model): { business: number; fee: number } {
  const came = Math.min(arrived(model, 'final'), completing(model));
  // What the simulator sends may be parts of a unit, which no fee counts.
  const [whole, due] = [BigInt(Math.floor(came)), BigInt(model.due)];
  const fee = Number((2n * BigInt(model.fee) * whole + due) / (2n * due));
  return { business: came - fee, fee };
}

/** It waits for its rails at that moment, or no longer. */
export function modelWait(model: Model, since: number | null): void {
  model.waitsSince = since;
}

/** Time passes until `moment`, or until just before the one that it waits at. */
export function modelTime(model: Model, moment: number): void {
  const now = model.waitsSince === null ? moment : Math.min(moment, model.waitsSince - 1);
  if (isOpen(model) && now >= model.deadline) {
    model.lateEnd = model.deadline + 24 * 60 * minute;
    become(model, 'cancelled', 'abandoned', 'abandoned');
  }
  if (model.status === 'pending') {
    const end = modelEnd(model);
    if (now >= end && arrived(model, 'standing', end) < model.due) {
      const shortfall = modelShortfall(model, end);
      if (shortfall === 'final') {
        model.shortPaid = arrived(model, 'standing', end);
        complete(model, now, 'short');
      } else if (shortfall === 'too much') {
        const isPart = moves(model, arrived(model, 'standing', end));
        if (isPart) become(model, 'in-appeal', 'in_appeal', 'part_paid');
        else become(model, 'failed', 'failed', 'reorg');
      }
    }
  }
  if (takesLate(model) && moves(model, arrived(model, 'standing'))) {
    const covered = arrived(model, 'standing', model.lateEnd) >= model.due;
    if (now >= model.lateEnd && !covered) become(model, 'in-appeal', 'in_appeal', 'late');
  }
  modelMoney(model, now);
}

/** What a pending payment lacks of what came by `end`: more than may be missing, or not, with all of it final or not. */
function modelShortfall(model: Model, end: number): 'too much' | 'waits' | 'final' {
  const missing = model.due - arrived(model, 'standing', end);
  if (model.status !== 'pending' || missing <= 0 || missing > model.tolerance) return 'too much';
  return counting(model).some(({ state, seenAt }) => state === 'seen' && seenAt <= end) ? 'waits' : 'final';
}

/** The customer leaves it at what came. Returns whether that was possible. */
export function modelEnough(model: Model, now: number): boolean {
  modelTime(model, now);
  if (model.status === 'completed') return true;
  if (modelShortfall(model, model.deadline) !== 'final') return false;
  model.deadline = Math.min(model.deadline, now);
  modelTime(model, now);
  return true;
}

/**
 * When a pending payment is judged: at its deadline, or later while a transfer that came before that moment is lost and
 * may come back. One that came later would have found the payment judged, had its rail been read at once.
 */
export function modelEnd(model: Model): number {
  const lost = [...model.transfers.values()].filter(({ state }) => state === 'gone');
  let end = model.deadline;
  // The end may move behind another loss, which is then waited for as well.
  for (let before = Number.NaN; end !== before; ) {
    before = end;
    const awaited = lost.filter(({ seenAt }) => seenAt <= before);
    end = Math.max(model.deadline, ...awaited.map(({ goneAt }) => goneAt + 30 * minute));
  }
  return end;
}

/** A rail that is never behind reports a transfer of the payment's currency. */
export function modelTransfer(
  model: Model,
  key: string,
  units: number,
  state: ModelTransfer['state'],
  now: number,
): void {
  modelTime(model, now);
  modelReport(model, { key, units, state, takenAt: now }, now);
  modelTime(model, now);
}

/** A rail reports a transfer that its chain took at `takenAt`; how far it has read is another matter. */
export function modelReport(model: Model, report: ModelReport, now: number): void {
  const before = noteTransfer(model.transfers, report, now);
  if (before?.state === 'final' && report.state !== 'gone') return;
  if (before?.state === 'final' && !model.returned.has(report.key)) modelLoss(model);
  modelMoney(model, now);
}

/** What the transfers by themselves bring about. Until its end only what came by then speaks for an open payment. */
function modelMoney(model: Model, now: number): void {
  if (isOpen(model) || model.status === 'pending') {
    const inTime = arrived(model, 'standing', isOpen(model) ? model.deadline : modelEnd(model));
    if (inTime >= model.due && arrived(model, 'final') >= model.due) complete(model, now);
    else if (isOpen(model) && moves(model, inTime)) become(model, 'pending', 'pending');
  } else if (takesLate(model)) {
    if (arrived(model, 'final', model.lateEnd) >= model.due) complete(model, now);
  } else if (model.status === 'cancelled' || model.status === 'failed') {
    if (moves(model, arrived(model, 'final'))) become(model, 'in-appeal', 'in_appeal', 'paid_after_end');
  } else if (model.status === 'in-appeal' && arrived(model, 'final') >= completing(model)) {
    if (model.reason === 'reorg') complete(model, now, 'covered_again');
    else if (model.reason === 'disputed') model.settled ??= settledShares(model);
  }
}

/** A transfer that was final has left its chain: what is left covers what completed it, or the payment is not settled. */
function modelLoss(model: Model): void {
  if (!model.settled) return;
  const isCovered = arrived(model, 'final') >= completing(model);
  model.settled = isCovered ? settledShares(model) : null;
  if (!isCovered && model.status === 'completed') become(model, 'in-appeal', 'in_appeal', 'reorg');
}

/** What was owed back for a transfer that has left its chain is owed no longer; it speaks for the payment again. */
export function modelVoid(model: Model, key: string): void {
  model.returned.delete(key);
}

/** The customer chooses how to pay; the first choice starts the deadline anew. */
export function modelChoice(model: Model, now: number, lastsMs = 10 * minute): void {
  if (!isOpen(model) || model.chosen) return;
  model.chosen = true;
  model.deadline = now + lastsMs;
  become(model, 'linked', 'linked');
}

export function modelCancel(model: Model, by: 'customer' | 'merchant'): void {
  if (isOpen(model)) become(model, 'cancelled', 'cancelled', by);
}

/** It fails because somebody says so. Returns whether that was possible. */
export function modelFail(model: Model): boolean {
  if (!isOpen(model) && model.status !== 'pending') return false;
  become(model, 'failed', 'failed', 'simulated');
  if (moves(model, arrived(model, 'final'))) become(model, 'in-appeal', 'in_appeal', 'paid_after_end');
  return true;
}

/** Its deadline passes now. Returns whether that was possible. */
export function modelExpire(model: Model, now: number): boolean {
  if (!isOpen(model) && model.status !== 'pending') return false;
  model.deadline = Math.min(model.deadline, now);
  modelTime(model, now);
  return true;
}

/** What it still lacks. */
export function modelMissing(model: Model): number {
  const standing = [...model.transfers.values()].filter(({ state }) => state !== 'gone');
  return Math.max(0, model.due - standing.reduce((sum, { units }) => sum + units, 0));
}

/** The customer disputes, within 30 days of the first completion. Returns whether that was possible. */
export function modelDispute(model: Model, now: number): boolean {
  if (model.status !== 'completed' || now > model.completedAt + 30 * 24 * 60 * minute) return false;
  become(model, 'in-appeal', 'in_appeal', 'disputed');
  return true;
}

const isOnItsWay = (model: Model): boolean => counting(model).some(({ state }) => state === 'seen');

/** The merchant accepts what came. Returns whether that was possible. */
export function modelAccept(model: Model, now: number): boolean {
  const { status, reason } = model;
  if (status !== 'in-appeal' || reason === 'disputed' || isOnItsWay(model)) return false;
  if (arrived(model, 'final') === 0) return false;
  complete(model, now, 'accepted');
  return true;
}

/** The operator rejects a dispute: a payment that is not settled, because some of its money has left its chain, is settled now. */
export function modelReject(model: Model): boolean {
  if (model.status !== 'in-appeal' || model.reason !== 'disputed') return false;
  if (!model.settled && (isOnItsWay(model) || arrived(model, 'final') === 0)) return false;
  become(model, 'completed', 'appeal_closed', 'dispute_rejected');
  return true;
}

/** The money is refunded; `hasOther`: some of it is of another currency. */
export function modelReturn(model: Model, hasOther: boolean): boolean {
  if (model.status !== 'in-appeal' || isOnItsWay(model)) return false;
  const finals = [...model.transfers].filter(
    ([key, { state }]) => state === 'final' && !model.returned.has(key),
  );
  for (const [key] of finals) model.returned.add(key);
  model.settled = null;
  if (finals.length === 0 && !hasOther) become(model, 'failed', 'appeal_closed', 'reorg');
  else become(model, model.before === 'failed' ? 'failed' : 'cancelled', 'appeal_closed', 'returned');
  return true;
}
