import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import type { Rail } from '../../rails/rail.ts';
import type { PaymentEventType } from '../../webhooks/events/event-types.ts';
import type { PaymentStatus, Reason } from './payment.ts';

type Transition = {
  from: readonly PaymentStatus[];
  to: PaymentStatus;
  reasons?: readonly Reason[];
  event: PaymentEventType;
};

/**
 * Every move that a payment may make, with the event it sends (contract.md#states). The first row that fits
 * counts. `payment_completed` is sent once in a payment's life: a payment that was completed before comes
 * back from an appeal with `payment_appeal_closed`.
 */
export const transitions: readonly Transition[] = [
  { from: ['unlinked'], to: 'linked', event: 'payment_linked' },
  { from: ['unlinked', 'linked'], to: 'pending', event: 'payment_pending' },
  // No more is missing than may be.
  { from: ['linked', 'pending'], to: 'completed', reasons: ['short'], event: 'payment_completed' },
  { from: ['unlinked', 'linked', 'pending'], to: 'completed', event: 'payment_completed' },
  {
    from: ['unlinked', 'linked', 'pending'],
    to: 'failed',
    reasons: ['simulated', 'reorg'],
    event: 'payment_failed',
  },
  { from: ['unlinked', 'linked'], to: 'cancelled', reasons: ['abandoned'], event: 'payment_abandoned' },
  {
    from: ['unlinked', 'linked'],
    to: 'cancelled',
    reasons: ['customer', 'merchant'],
    event: 'payment_cancelled',
  },
  { from: ['linked', 'pending'], to: 'in-appeal', reasons: ['part_paid'], event: 'payment_in_appeal' },
  { from: ['cancelled'], to: 'completed', event: 'payment_completed' },
  {
    from: ['cancelled', 'failed'],
    to: 'in-appeal',
    reasons: ['late', 'paid_after_end'],
    event: 'payment_in_appeal',
  },
  { from: ['completed'], to: 'in-appeal', reasons: ['disputed', 'reorg'], event: 'payment_in_appeal' },
  { from: ['in-appeal'], to: 'completed', reasons: ['accepted'], event: 'payment_completed' },
  { from: ['in-appeal'], to: 'completed', reasons: ['dispute_rejected'], event: 'payment_appeal_closed' },
  // A transfer that had left its chain was mined again.
  { from: ['in-appeal'], to: 'completed', reasons: ['covered_again'], event: 'payment_appeal_closed' },
  // Its refunds have events of their own (contract.md#refunds).
  { from: ['in-appeal'], to: 'failed', reasons: ['returned'], event: 'payment_appeal_closed' },
  { from: ['in-appeal'], to: 'cancelled', reasons: ['returned'], event: 'payment_appeal_closed' },
  // Everything that came for it has left its chain: there is nothing to refund.
  { from: ['in-appeal'], to: 'failed', reasons: ['reorg'], event: 'payment_appeal_closed' },
];

/** The row of the table for a move, or undefined when it is not allowed. */
export function transitionOf(from: PaymentStatus, to: PaymentStatus, reason: Reason | null) {
  return transitions.find(
    (row) =>
      row.from.includes(from) &&
      row.to === to &&
      (row.reasons === undefined || (reason !== null && row.reasons.includes(reason))),
  );
}

/**
 * What every change of a payment needs beside its transaction. `rail` knows where money is awaited, and how far it
 * was read; payouts carry refunds.
 */
export type StateDeps = PayoutDeps & {
  rail: Pick<Rail, 'destinations' | 'openFor' | 'readThrough' | 'tokenPlace'>;
  /** Whether live payments settle to their merchants' own addresses alone (contract.md#direct). */
  isDirectRequired?: boolean;
};

/** `paid`, at `fineScale`: what a payment is completed with that is completed short. */
export type Move = { to: PaymentStatus; reason: Reason | null; paid?: bigint };
