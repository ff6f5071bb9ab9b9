-- Money that leaves the ledger for an address.
CREATE TABLE payouts (
  id uuid PRIMARY KEY,
  -- NULL: the operator's own
  integration_id uuid,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  purpose text NOT NULL
    CHECK (purpose IN ('merchant_payout', 'refund', 'withdrawal', 'fee_withdrawal', 'unmatched_return')),
  -- what it belongs to, such as a payment; the ledger names it as the cause
  cause_id uuid,
  status text NOT NULL CHECK (status IN
    ('awaiting_approval', 'queued', 'sending', 'completed', 'cancelled', 'rejected', 'failed')),
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  fee numeric(78,0) NOT NULL CHECK (fee >= 0),
  -- the rail that sends it, the account that it leaves, and the one that stands for the outside
  rail text NOT NULL,
  debit_kind text NOT NULL,
  debit_owner text NOT NULL,
  credit_owner text NOT NULL,
  -- the holds in the ledger for the amount and the fee: others after a reorg took a sent payout back
  hold_id uuid NOT NULL UNIQUE,
  fee_hold_id uuid UNIQUE,
  destination text NOT NULL,
  memo text,
  reference text,
  description text,
  -- approvals by people of the merchant, and by operators
  approvals_needed integer NOT NULL CHECK (approvals_needed >= 0),
  operator_approvals_needed integer NOT NULL CHECK (operator_approvals_needed >= 0),
  -- the person who asked, or who made the key that asked; never one of those who approve
  requested_by uuid,
  -- who asked, as people read it
  requester text NOT NULL,
  transaction text,
  -- why it failed or was rejected
  failure text,
  -- what keeps it in the queue, in words
  held_up text,
  version integer NOT NULL DEFAULT 1,
  -- the number of the last event, its X-Sequence
  event_sequence integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL,
  CHECK ((fee = 0) = (fee_hold_id IS NULL))
);
CREATE UNIQUE INDEX payouts_reference ON payouts (integration_id, mode, reference) WHERE reference IS NOT NULL;
CREATE INDEX payouts_list ON payouts (integration_id, mode, id DESC);
CREATE INDEX payouts_open ON payouts (status, id) WHERE status IN ('awaiting_approval', 'queued', 'sending');
CREATE INDEX payouts_cause ON payouts (cause_id) WHERE cause_id IS NOT NULL;

-- Every change of a status, for the timeline; append-only.
CREATE TABLE payout_moves (
  payout_id uuid NOT NULL,
  version integer NOT NULL,
  at timestamptz NOT NULL,
  from_status text,
  to_status text NOT NULL,
  transaction text,
  why text,
  PRIMARY KEY (payout_id, version)
);

CREATE TABLE payout_approvals (
  payout_id uuid NOT NULL REFERENCES payouts,
  account_id uuid NOT NULL,
  side text NOT NULL CHECK (side IN ('merchant', 'operator')),
  -- as people read it
  approver text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (payout_id, account_id)
);

-- What was ordered on a UTC day of what may be: `scope` is a key's allowance, or the operator's limit over all.
CREATE TABLE payout_sums (
  scope text NOT NULL,
  asset text NOT NULL,
  day date NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units >= 0),
  PRIMARY KEY (scope, asset, day)
);
-- What each open payout took of it, given back where it ends unpaid.
CREATE TABLE payout_uses (
  payout_id uuid NOT NULL REFERENCES payouts,
  scope text NOT NULL,
  asset text NOT NULL,
  day date NOT NULL,
  units numeric(78,0) NOT NULL,
  PRIMARY KEY (payout_id, scope)
);

-- What an owner set; without a row the defaults of payouts/settings.ts count.
CREATE TABLE payout_settings (
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  enabled boolean NOT NULL,
  approvals integer NOT NULL CHECK (approvals BETWEEN 0 AND 2),
  -- decimals by asset code: only larger amounts need approval; an asset without one always does
  approve_above jsonb NOT NULL,
  known_addresses_only boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (integration_id, mode)
);

CREATE TABLE payout_addresses (
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  -- as addresses are compared
  address text COLLATE "C" NOT NULL,
  memo text,
  label text NOT NULL,
  added_by text NOT NULL,
  created_at timestamptz NOT NULL,
  usable_at timestamptz NOT NULL,
  stopped_at timestamptz,
  stopped_by text
);
CREATE UNIQUE INDEX payout_addresses_known ON payout_addresses (integration_id, mode, address, coalesce(memo, ''))
  WHERE stopped_at IS NULL;

-- What operators set for an asset: units at its scale.
CREATE TABLE payout_terms (
  asset text PRIMARY KEY,
  fee numeric(78,0) NOT NULL CHECK (fee >= 0),
  minimum numeric(78,0) NOT NULL CHECK (minimum >= 0),
  -- over all integrations on a UTC day; NULL: none
  daily_limit numeric(78,0) CHECK (daily_limit >= 0),
  -- larger amounts need an operator's approval too; NULL: none does
  approve_above numeric(78,0) CHECK (approve_above >= 0),
  updated_at timestamptz NOT NULL
);

-- The switch that stops every order and every signing; a row is there while it is set.
CREATE TABLE payout_stop (
  is_set boolean PRIMARY KEY DEFAULT true CHECK (is_set),
  reason text NOT NULL,
  stopped_by text NOT NULL,
  stopped_at timestamptz NOT NULL
);
