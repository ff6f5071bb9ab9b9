import type { PaymentStatus } from '../src/payments/payment.ts';

// What contract.md 5 says of one payment, in plain words and numbers, to be held against the real thing.
// It knows no database, no assets and no bookkeeping; times are milliseconds, money whole units.

const minute = 60_000;

export type ModelTransfer = {
  units: number;
  state: 'seen' | 'final' | 'gone';
  seenAt: number;
  goneAt: number;
};

export type Model = {
  status: PaymentStatus;
  reason: string | null;
  due: number;
  deadline: number;
  chosen: boolean;
  lateEnd: number;
  transfers: Map<string, ModelTransfer>;
  /** The events' names without `payment_`. */
  events: string[];
};

export function newModel(due: number, now: number): Model {
  const deadline = now + 10 * minute;
  const transfers = new Map<string, ModelTransfer>();
  return {
    status: 'unlinked',
    reason: null,
    due,
    deadline,
    chosen: false,
    lateEnd: 0,
    transfers,
    events: [],
  };
}

export const isOpen = ({ status }: Model): boolean => status === 'unlinked' || status === 'linked';

/** What stands on its chain, or only what is final, and was first seen by then. */
function arrived(model: Model, kind: 'standing' | 'final', by = Number.POSITIVE_INFINITY): number {
  return [...model.transfers.values()]
    .filter(({ state, seenAt }) => (kind === 'final' ? state === 'final' : state !== 'gone') && seenAt <= by)
    .reduce((sum, { units }) => sum + units, 0);
}

function become(model: Model, status: PaymentStatus, event: string, reason: string | null = null): void {
  model.status = status;
  model.reason = reason;
  model.events.push(event);
}

/** Time passes until `now`. */
export function modelTime(model: Model, now: number): void {
  if (isOpen(model) && now >= model.deadline) {
    model.lateEnd = model.deadline + 24 * 60 * minute;
    become(model, 'cancelled', 'abandoned', 'abandoned');
  }
  if (model.status === 'pending') {
    const lost = [...model.transfers.values()].filter(({ state }) => state === 'gone');
    const end = Math.max(model.deadline, ...lost.map(({ goneAt }) => goneAt + 30 * minute));
    if (now >= end && arrived(model, 'standing', end) < model.due) {
      if (arrived(model, 'standing') === 0) become(model, 'failed', 'failed', 'reorg');
      else become(model, 'in-appeal', 'in_appeal', 'part_paid');
    }
  }
  if (model.reason === 'abandoned' && arrived(model, 'standing') > 0) {
    const covered = arrived(model, 'standing', model.lateEnd) >= model.due;
    if (now >= model.lateEnd && !covered) become(model, 'in-appeal', 'in_appeal', 'late');
  }
}

/** A rail reports a transfer of the payment's currency. */
export function modelTransfer(
  model: Model,
  key: string,
  units: number,
  state: ModelTransfer['state'],
  now: number,
): void {
  modelTime(model, now);
  const before = model.transfers.get(key);
  if (before?.state === 'final') return;
  const goneAt = before?.state === 'gone' ? before.goneAt : now;
  model.transfers.set(key, { units, state, seenAt: before?.seenAt ?? now, goneAt });
  if (isOpen(model) || model.status === 'pending') {
    if (arrived(model, 'final') >= model.due) become(model, 'completed', 'completed');
    else if (isOpen(model) && arrived(model, 'standing') > 0) become(model, 'pending', 'pending');
  } else if (model.reason === 'abandoned') {
    if (arrived(model, 'final', model.lateEnd) >= model.due) become(model, 'completed', 'completed');
  } else if (model.status === 'cancelled' || model.status === 'failed') {
    if (arrived(model, 'final') > 0) become(model, 'in-appeal', 'in_appeal', 'paid_after_end');
  }
  modelTime(model, now);
}

/** The customer chooses how to pay; the first choice starts the deadline anew. */
export function modelChoice(model: Model, now: number): void {
  if (!isOpen(model) || model.chosen) return;
  model.chosen = true;
  model.deadline = now + 10 * minute;
  become(model, 'linked', 'linked');
}

export function modelCancel(model: Model, by: 'customer' | 'merchant'): void {
  if (isOpen(model)) become(model, 'cancelled', 'cancelled', by);
}
