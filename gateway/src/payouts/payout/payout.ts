import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Id } from '../../kit/ids.ts';
import type { Party } from '../../ledger/accounts.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';

export type PayoutId = Id<'payout'>;

/** What a payout is for: it decides which account it leaves, and what happens when it ends. */
export const purposeNames = [
  'merchant_payout',
  'refund',
  'withdrawal',
  'fee_withdrawal',
  'unmatched_return',
  'user_funding',
] as const;
export type PurposeName = (typeof purposeNames)[number];

export const payoutStatuses = [
  'awaiting_approval',
  'queued',
  'sending',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** Units of one asset that leave the ledger for one address. */
export type Payout = {
  id: PayoutId;
  /** Null: the operator's own. */
  integrationId: IntegrationId | null;
  mode: Mode;
  purpose: PurposeName;
  /** What it belongs to, such as a payment. */
  causeId: string | null;
  status: PayoutStatus;
  asset: string;
  /** What the receiver gets, and what the operator charges beside it, at the asset's scale. */
  units: bigint;
  fee: bigint;
  rail: string;
  debit: Party;
  /** The account that stands for the outside, or a user's wallet. */
  outside: Party;
  holdId: string;
  feeHoldId: string | null;
  to: string;
  memo: string | null;
  reference: string | null;
  description: string | null;
  approvalsNeeded: number;
  operatorApprovalsNeeded: number;
  requestedBy: string | null;
  requester: string;
  transaction: string | null;
  failure: string | null;
  heldUp: string | null;
  /** How it had ended before its money left all the same; null: it left as it was ordered, or not. */
  endedAs: PayoutStatus | null;
  /** What those have in common that are approved, rejected and cancelled as one; null: it is by itself. */
  together: string | null;
  version: number;
  eventSequence: number;
  createdAt: Date;
  sentAt: Date | null;
  completedAt: Date | null;
};

/** What a payout that was just ordered does not have yet. */
export const unmoved = {
  ...{
    transaction: null,
    failure: null,
    endedAs: null,
    heldUp: null,
    together: null,
    sentAt: null,
    completedAt: null,
  },
  ...{ version: 1, eventSequence: 0 },
};

export type PayoutRow = {
  id: PayoutId;
  integration_id: IntegrationId | null;
  mode: Mode;
  purpose: PurposeName;
  cause_id: string | null;
  status: PayoutStatus;
  asset: string;
  units: bigint;
  fee: bigint;
  rail: string;
  debit_kind: Party['kind'];
  debit_owner: string;
  credit_kind: Party['kind'];
  credit_owner: string;
  hold_id: string;
  fee_hold_id: string | null;
  destination: string;
  memo: string | null;
  reference: string | null;
  description: string | null;
  approvals_needed: number;
  operator_approvals_needed: number;
  requested_by: string | null;
  requester: string;
  transaction: string | null;
  failure: string | null;
  held_up: string | null;
  ended_as: PayoutStatus | null;
  together: string | null;
  version: number;
  event_sequence: number;
  created_at: Date;
  sent_at: Date | null;
  completed_at: Date | null;
};

export function payoutOf(row: PayoutRow): Payout {
  return {
    id: row.id,
    integrationId: row.integration_id,
    mode: row.mode,
    purpose: row.purpose,
    causeId: row.cause_id,
    status: row.status,
    asset: row.asset,
    units: row.units,
    fee: row.fee,
    rail: row.rail,
    debit: { kind: row.debit_kind, owner: row.debit_owner },
    outside: { kind: row.credit_kind, owner: row.credit_owner },
    holdId: row.hold_id,
    feeHoldId: row.fee_hold_id,
    to: row.destination,
    memo: row.memo,
    reference: row.reference,
    description: row.description,
    approvalsNeeded: row.approvals_needed,
    operatorApprovalsNeeded: row.operator_approvals_needed,
    requestedBy: row.requested_by,
    requester: row.requester,
    transaction: row.transaction,
    failure: row.failure,
    heldUp: row.held_up,
    endedAs: row.ended_as,
    together: row.together,
    version: row.version,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    completedAt: row.completed_at,
  };
}

/** In place of a rail, of a payout to the wallet of a user: the ledger moves it, or another system credits it. */
export const walletRail = 'wallet';

export type Approval = { by: string; at: Date };

/** A payout as the API shows it; amounts are decimals (contract.md#payouts). */
export function payoutView(payout: Payout, { scale }: Asset, approvals: readonly Approval[]) {
  return {
    id: payout.id,
    payout_reference: payout.reference,
    purpose: payout.purpose,
    status: payout.status,
    asset: payout.asset,
    amount: decimalOf(payout.units, scale),
    fee: decimalOf(payout.fee, scale),
    to: payout.to,
    memo: payout.memo,
    description: payout.description,
    approvals_needed: payout.approvalsNeeded + payout.operatorApprovalsNeeded,
    approvals: approvals.map(({ by, at }) => ({ by, at: at.toISOString() })),
    transaction: payout.transaction,
    failure: payout.failure ?? payout.heldUp,
    created_at: payout.createdAt.toISOString(),
    sent_at: payout.sentAt?.toISOString() ?? null,
    completed_at: payout.completedAt?.toISOString() ?? null,
  };
}

export type PayoutView = ReturnType<typeof payoutView>;
