-- A transfer may leave its chain after it was final: a reorg deeper than a chain without finality is trusted to.

-- The amount of a payment in appeal was covered again, and it was completed without anybody's decision.
ALTER TABLE appeals
  DROP CONSTRAINT appeals_decision_check,
  ADD CONSTRAINT appeals_decision_check
    CHECK (decision IN ('accepted', 'dispute_rejected', 'returned', 'reorg', 'covered_again'));

-- Every transfer that was booked and left its chain; `id` is the ledger transfer that took it back.
CREATE TABLE payment_losses (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  rail text NOT NULL,
  key text NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  at timestamptz NOT NULL,
  -- when operators were told
  told_at timestamptz
);
CREATE INDEX payment_losses_untold ON payment_losses (at) WHERE told_at IS NULL;

-- `void`: what was owed to the customer is owed no longer, because it left its chain before it was sent.
ALTER TABLE payment_refunds
  DROP CONSTRAINT payment_refunds_state_check,
  DROP CONSTRAINT payment_refunds_rail_key_key,
  ADD CONSTRAINT payment_refunds_state_check CHECK (state IN ('requested', 'sent', 'void'));
CREATE UNIQUE INDEX payment_refunds_transfer ON payment_refunds (rail, key) WHERE state <> 'void';

-- Money of payments that a rail moved on to the operator's treasury.
CREATE TABLE payment_sweeps (
  -- the ledger transfer that booked it first
  ledger_id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  rail text NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  state text NOT NULL CHECK (state IN ('final', 'gone')),
  -- how often it was final: mined again in the same block, it is booked under another id
  bookings integer NOT NULL DEFAULT 1,
  final_at timestamptz NOT NULL,
  gone_at timestamptz
);
CREATE INDEX payment_sweeps_payment ON payment_sweeps (payment_id);
CREATE INDEX payment_sweeps_transaction ON payment_sweeps (transaction);
