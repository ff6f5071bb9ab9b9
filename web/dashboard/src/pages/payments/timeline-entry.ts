import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import type { FaultKind } from '../webhooks/types/chaos.ts';

/** Money that a transaction moved; `transaction_url` shows it on a block explorer, where there is one. */
export type Moved = { transaction: string; transaction_url: string | null; asset: string; amount: string };

/** One thing that happened to a payment. */
export type TimelineEntry = { at: string } & (
  | { kind: 'status'; status: PaymentStatus; reason: string | null }
  | ({ kind: 'transfer'; step: 'seen' | 'final' | 'gone' } & Moved)
  | ({ kind: 'sweep'; step: 'final' | 'gone' } & Moved)
  | { kind: 'event'; event_id: string; event_type: string }
  | {
      kind: 'webhook';
      event_type: string;
      delivery_id: string;
      url: string;
      attempt: number;
      status_code: number | null;
      error: string | null;
      injected_fault: FaultKind | null;
      duration_ms: number;
    }
  | { kind: 'request'; id: string; method: string; path: string; status: number; duration_ms: number }
  | { kind: 'staff'; action: string; actor: string; as_operator: boolean }
  | { kind: 'claim'; claim: 'paid' | 'dispute'; content: string }
);
