-- Refunds of money that went to merchants' own addresses. The merchant sends them, and the transfer that a chain shows answers
-- them; the gateway holds nothing of them. They are a table of their own, since a version that knows none would pay them.
CREATE TABLE direct_refunds (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  -- those of its payment
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  status text NOT NULL CHECK (status IN ('awaiting_destination', 'awaiting_transfer', 'completed', 'cancelled')),
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  -- of which it is made up: what came too much, what was due, and another coin
  from_overpayment numeric(78,0) NOT NULL,
  from_business numeric(78,0) NOT NULL,
  from_suspense numeric(78,0) NOT NULL,
  -- an appeal ended with it: nobody can cancel it
  is_owed boolean NOT NULL,
  made_by uuid,
  reason text,
  destination text,
  -- the transfer that is asked for: its chain, token and sender, in blocks after this one, and up to which it was looked for
  chain_id bigint,
  token text,
  sender text,
  after bigint,
  read_to bigint,
  transaction text,
  -- the name of the transfer that answered it: each answers one
  answered_by text UNIQUE,
  failure text,
  announced_at timestamptz,
  link_mailed_at timestamptz,
  link_mailed_to text,
  proved_by text,
  proof_statement text,
  proof_signature text,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  CHECK (units = from_overpayment + from_business + from_suspense),
  CHECK ((status = 'completed') = (answered_by IS NOT NULL)),
  CHECK (status <> 'awaiting_transfer'
    OR num_nulls(destination, chain_id, token, sender, after, read_to) = 0)
);
CREATE INDEX direct_refunds_payment ON direct_refunds (payment_id);
CREATE INDEX direct_refunds_waiting ON direct_refunds (chain_id, id) WHERE status = 'awaiting_transfer';
CREATE INDEX direct_refunds_own ON direct_refunds (integration_id, mode, id) WHERE status = 'awaiting_transfer';
