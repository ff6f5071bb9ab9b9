-- Amounts are integer units at the currency's scale (contract.md 2).
-- No foreign key to integrations: its check would lock the integration's row for every payment; the guard
-- has just read it, and integrations are never deleted.
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  reference text NOT NULL CONSTRAINT payments_reference UNIQUE,
  -- 128 random bits that open the hosted page
  token text NOT NULL,
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  status text NOT NULL CHECK (status IN
    ('unlinked', 'linked', 'pending', 'completed', 'failed', 'cancelled', 'in-appeal')),
  reason text,
  payment_type text NOT NULL,
  currency text NOT NULL,
  amount numeric(78,0) NOT NULL CHECK (amount > 0),
  fee numeric(78,0) NOT NULL CHECK (fee >= 0 AND fee <= amount),
  fee_payer text NOT NULL CHECK (fee_payer IN ('merchant', 'customer')),
  amount_due numeric(78,0) NOT NULL CHECK (amount_due >= amount),
  customer_email text,
  customer_reference text,
  success_url text,
  failure_url text,
  -- as the merchant sent it, so json and not jsonb: nothing searches in it
  item_list json,
  meta_data text,
  payment_note text,
  -- the asset code chosen on the hosted page, or wallet
  method text,
  deadline timestamptz NOT NULL,
  -- the deadline's length, to start it anew once when the payment is first linked
  deadline_seconds integer NOT NULL,
  linked_at timestamptz,
  completed_at timestamptz,
  -- until when a transfer to an abandoned payment still pays it
  late_until timestamptz,
  late_window_seconds integer NOT NULL,
  -- when time alone may next change the status; NULL: never
  due_at timestamptz,
  -- grows with every change that the hosted page shows
  version integer NOT NULL DEFAULT 1,
  -- the number of the last event, its X-Sequence
  event_sequence integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX payments_list ON payments (integration_id, mode, created_at DESC, id DESC);
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_test_late ON payments (integration_id, late_until)
  WHERE mode = 'test' AND late_until IS NOT NULL;

-- Every change of a status, for the timeline; append-only.
CREATE TABLE payment_moves (
  payment_id uuid NOT NULL,
  version integer NOT NULL,
  at timestamptz NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  reason text,
  PRIMARY KEY (payment_id, version)
);

-- What a rail saw for a payment. `rail` and `key` name one transfer of one chain for ever: two transfers
-- in one transaction have two keys.
CREATE TABLE payment_transfers (
  rail text NOT NULL,
  key text NOT NULL,
  payment_id uuid NOT NULL REFERENCES payments,
  -- the ledger transfer that booked it
  ledger_id uuid NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  state text NOT NULL CHECK (state IN ('seen', 'final', 'gone')),
  confirmations integer NOT NULL,
  needed integer NOT NULL,
  seen_at timestamptz NOT NULL,
  final_at timestamptz,
  gone_at timestamptz,
  PRIMARY KEY (rail, key)
);
CREATE INDEX payment_transfers_payment ON payment_transfers (payment_id, seen_at);

-- What the customer says of a payment: a transaction that we did not see, or a dispute.
CREATE TABLE payment_claims (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  kind text NOT NULL CHECK (kind IN ('paid', 'dispute')),
  content text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (payment_id, kind, content)
);
