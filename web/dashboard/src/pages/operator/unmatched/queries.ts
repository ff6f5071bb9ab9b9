import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';
import type { PaymentStatus } from '../../../ui/display/status-badge.tsx';

const path = '/console/operator/strays';

/** What a decision about a deposit changes on the page of money. */
export const depositPaths = [
  path,
  ...['suspense', 'totals', 'holdings'].map((name) => `/console/operator/${name}`),
];

export type UnmatchedState = 'open' | 'assigned' | 'returning' | 'returned' | 'own';

/** A deposit that names no payment. */
export type UnmatchedDeposit = {
  id: string;
  rail: string;
  asset: string;
  network: string | null;
  amount: string;
  transaction: string;
  transaction_url: string | null;
  sender: string | null;
  sender_url: string | null;
  memo: string | null;
  arrived_at: string;
  state: UnmatchedState;
  /** How many payments' customers named its transaction, and how many of these have a proof. */
  claims: number;
  proofs: number;
  decided_at: string | null;
  /** Null where an earlier version assigned it by a proof. */
  decided_by: string | null;
  reason: string | null;
  /** The gateway has a key for its network. */
  can_send: boolean;
  /** Why it could not be sent back. */
  fault: string | null;
  /** Where it was ordered to go back to; its transaction is null until that is seen. */
  sent_back: {
    to: string;
    to_url: string | null;
    memo: string | null;
    transaction: string | null;
    transaction_url: string | null;
  } | null;
  payment: {
    reference: string;
    status: PaymentStatus;
    integration_id: string;
    integration_name: string;
  } | null;
};

/** A payment that money may be for. */
export type LikelyMatch = {
  id: string;
  reference: string;
  status: PaymentStatus;
  reason: string | null;
  amount_due: string;
  currency: string;
  customer_reference: string | null;
  customer_email: string | null;
  created_at: string;
};

/** A transfer with the payment's memo, from the account that the deposit came from. */
export type Proof = {
  transaction: string;
  transaction_url: string | null;
  asset: string;
  amount: string;
  arrived_at: string;
  /** Payments of other customers that were paid from the account, and its other deposits without a payment. */
  other_payments: number;
  other_deposits: number;
};

export type DepositMatch = LikelyMatch & {
  integration_id: string;
  integration_name: string;
  because: ('claim' | 'account' | 'memo' | 'amount')[];
  /** When the customer named the transaction. */
  claimed_at: string | null;
  proof: Proof | null;
  /** The payment was created after the deposit came. */
  is_later: boolean;
};

export const useDeposits = (state: 'open' | 'decided', cursor: string | undefined) =>
  useList<UnmatchedDeposit>(path, { state, cursor });
export const useDepositMatches = (id: string) => useList<DepositMatch>(`${path}/${id}/matches`);

export const assignUnmatched = (id: string, body: { payment_reference: string; reason: string }) =>
  api<{ reference: string; payment_status: PaymentStatus }>(`${path}/${id}/assign`, { body });
export const keepUnmatched = (id: string, body: { reason: string }) => api(`${path}/${id}/keep`, { body });
export const returnDeposit = (id: string, body: { to: string; memo: string; reason: string }) =>
  api(`${path}/${id}/send-back`, { body });
