import type { AuditEntry } from '../../identity/audit/audit-log.ts';
import type { LoggedRequest } from '../../identity/request-log/request-reads.ts';
import type { PaymentAttempt, PaymentEvent } from '../../webhooks/deliveries/payment-events.ts';
import type { Claim } from '../payment/claims.ts';
import type { Payment, PaymentStatus } from '../payment/payment.ts';
import type { MoveRow } from './read.ts';

/** A transfer as the detail shows it; times are ISO. */
type TransferDetail = {
  transaction: string;
  transaction_url: string | null;
  asset: string;
  amount: string;
  state: 'seen' | 'final' | 'gone';
  late: boolean;
  seen_at: string;
  final_at: string | null;
  gone_at: string | null;
};

/** A sweep to the treasury as the timeline shows it; times are ISO. */
type SweepDetail = Pick<
  TransferDetail,
  'transaction' | 'transaction_url' | 'asset' | 'amount' | 'gone_at'
> & {
  final_at: string;
};

type Moved = { transaction: string; transaction_url: string | null; asset: string; amount: string };

/** One thing that happened to a payment. `at` is ISO 8601. */
export type TimelineEntry = { at: string } & (
  | { kind: 'status'; status: PaymentStatus; reason: string | null }
  | ({ kind: 'transfer'; step: 'seen' | 'final' | 'gone' } & Moved)
  | ({ kind: 'sweep'; step: 'final' | 'gone' } & Moved)
  | { kind: 'event'; event_id: string; event_type: PaymentEvent['event_type']; deliveries: number }
  | {
      kind: 'webhook';
      event_id: string;
      event_type: PaymentEvent['event_type'];
      delivery_id: string;
      url: string;
      attempt: number;
      status_code: number | null;
      error: string | null;
      injected_fault: PaymentAttempt['injected_fault'];
      duration_ms: number;
    }
  | { kind: 'request'; id: string; method: string; path: string; status: number; duration_ms: number }
  | { kind: 'staff'; action: string; actor: string; as_operator: boolean }
  | { kind: 'claim'; claim: 'paid' | 'dispute'; content: string }
);

type Sources = {
  payment: Payment;
  moves: MoveRow[];
  transfers: TransferDetail[];
  sweeps: SweepDetail[];
  events: PaymentEvent[];
  claims: Claim[];
  staff: AuditEntry[];
  calls: LoggedRequest[];
};

/** Everything that happened to a payment, from every source, in the order of time. */
export function timelineOf(sources: Sources): TimelineEntry[] {
  // Of two things at the same time the cause comes first.
  const entries = [
    ...sources.calls.map(ofCall),
    ...sources.staff.map(ofStaff),
    ...sources.claims.map(ofClaim),
    ...sources.transfers.flatMap(ofTransfer),
    ...sources.sweeps.flatMap(ofSweep),
    ...ofMoves(sources),
    ...sources.events.flatMap(ofEvent),
  ];
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** A call is placed when it began, before what it did; the log has the time of its answer. */
function ofCall({ id, at, method, path, status, duration_ms }: LoggedRequest): TimelineEntry {
  const began = new Date(at.getTime() - Math.ceil(duration_ms));
  return { at: began.toISOString(), kind: 'request', id, method, path, status, duration_ms };
}

function ofStaff({ at, action, actor }: AuditEntry): TimelineEntry {
  return {
    at: at.toISOString(),
    kind: 'staff',
    action,
    actor: actor.name,
    as_operator: actor.as_operator,
  };
}

function ofClaim({ at, kind, content }: Claim): TimelineEntry {
  return { at: at.toISOString(), kind: 'claim', claim: kind, content };
}

function ofTransfer({
  transaction,
  transaction_url,
  asset,
  amount,
  ...transfer
}: TransferDetail): TimelineEntry[] {
  const steps = [
    ['seen', transfer.seen_at],
    ['final', transfer.final_at],
    ['gone', transfer.gone_at],
  ] as const;
  return steps.flatMap(([step, at]): TimelineEntry[] =>
    // A transfer that was final when it was first seen is shown once.
    at === null || (step === 'seen' && at === transfer.final_at)
      ? []
      : [{ at, kind: 'transfer', step, transaction, transaction_url, asset, amount }],
  );
}

function ofSweep({ final_at, gone_at, ...moved }: SweepDetail): TimelineEntry[] {
  const swept: TimelineEntry = { at: final_at, kind: 'sweep', step: 'final', ...moved };
  return gone_at === null ? [swept] : [swept, { at: gone_at, kind: 'sweep', step: 'gone', ...moved }];
}

function ofMoves({ payment, moves }: Sources): TimelineEntry[] {
  const start = { at: payment.createdAt, to_status: 'unlinked' as const, reason: null };
  return [start, ...moves].map(({ at, to_status, reason }) => ({
    at: at.toISOString(),
    kind: 'status',
    status: to_status,
    reason,
  }));
}

function ofEvent({ event_id, event_type, created_at, deliveries }: PaymentEvent): TimelineEntry[] {
  if (deliveries.length === 0) {
    return [{ at: created_at, kind: 'event', event_id, event_type, deliveries: 0 }];
  }
  return deliveries.flatMap(({ id, url, attempts }) =>
    attempts.map(
      ({ response: _, at, ...attempt }, index): TimelineEntry => ({
        at,
        kind: 'webhook',
        event_id,
        event_type,
        delivery_id: id,
        url,
        attempt: index + 1,
        ...attempt,
      }),
    ),
  );
}
