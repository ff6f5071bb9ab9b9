// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** What a key may do, how much, and until when. */
export type OwnKey = {
  id: string;
  kind: 'signing' | 'restricted';
  name: string | null;
  /** The mode and the end of its secret. */
  hint: string;
  mode: 'test' | 'live';
  integration: {
    id: string;
    name: string;
  };
  /** Everything that it may do now. */
  actions: (
    | 'create payments'
    | 'read payments'
    | 'cancel payments'
    | 'fund users'
    | 'read balances'
    | 'read events'
    | 'resend events'
    | 'manage webhooks'
    | 'use test mode calls'
    | 'make payouts'
    | 'make refunds'
  )[];
  addresses: string[] | null;
  daily_limits:
    | {
        asset: string;
        limit: string;
        left: string;
      }[]
    | null;
  /** true: what it orders above its daily limits waits for a person's approval. false: that is refused. */
  asks_above: boolean;
  valid_until: string | null;
};

/** Body of `payouts.create`: a payout; with `dry_run` it is only judged. */
export type PayoutOrderInput = {
  /** An asset code such as usdc-base or pi; in test mode also one of a test network. */
  asset: string;
  /** A decimal string at the scale of the asset; a JSON number is taken too. */
  amount: string | number;
  /** The address that gets exactly the amount. */
  to: string;
  memo?: string | undefined;
  /** The merchant's own name for it. */
  payout_reference?: string | undefined;
  description?: string | undefined;
  /** true: nothing is done. The answer is what the call would answer. */
  dry_run?: boolean | undefined;
};

/** The status of a payout; `completed` once the chain shows that it is final. */
export type PayoutStatus =
  | 'awaiting_approval'
  | 'queued'
  | 'sending'
  | 'completed'
  | 'cancelled'
  | 'rejected'
  | 'failed';

/** A payout. Amounts are decimal strings; `failure` also says what holds a queued one up. */
export type Payout = {
  id: string;
  payout_reference: string | null;
  purpose:
    | 'merchant_payout'
    | 'refund'
    | 'withdrawal'
    | 'fee_withdrawal'
    | 'unmatched_return'
    | 'user_funding';
  status: PayoutStatus;
  asset: string;
  amount: string;
  /** What the operator charges beside the amount. */
  fee: string;
  to: string;
  memo: string | null;
  description: string | null;
  approvals_needed: number;
  approvals: {
    by: string;
    at: string;
  }[];
  transaction: string | null;
  failure: string | null;
  created_at: string;
  sent_at: string | null;
  completed_at: string | null;
};

/** A payout as it is asked for. `amount` is a decimal string at the scale of the asset; `to` gets exactly that. */
export type PayoutInput = {
  /** An asset code such as usdc-base or pi; in test mode also one of a test network. */
  asset: string;
  /** A decimal string at the scale of the asset; a JSON number is taken too. */
  amount: string | number;
  /** The address that gets exactly the amount. */
  to: string;
  memo?: string | undefined;
  /** The merchant's own name for it. */
  payout_reference?: string | undefined;
  description?: string | undefined;
};

/** Body of `payouts.createBatch`. */
export type PayoutBatchInput = {
  payouts: PayoutInput[];
  /** true: nothing is done. The answer is what the call would answer. */
  dry_run?: boolean | undefined;
};

/** Payouts that were ordered together, and what they take from the balance. */
export type PayoutBatch = {
  items: Payout[];
  totals: {
    asset: string;
    amount: string;
    fee: string;
  }[];
};

/** Which payouts, and which page. */
export type PayoutFilter = {
  status?: PayoutStatus | undefined;
  asset?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** What a payout in one asset costs, and whether it can be ordered now. */
export type PayoutFee = {
  asset: string;
  fee: string;
  minimum: string;
  daily_limit: string | null;
  available: boolean;
  why: string | null;
};
