-- Money that came to where a rail receives and names no payment: it stands in the suspense of its rail until
-- somebody knows whose it is. A rail tells of it once it is final.
CREATE TABLE stray_transfers (
  rail text NOT NULL,
  -- as in payment_transfers: the same when it is found to be a payment's
  key text NOT NULL,
  -- the ledger transfer that booked it, and by which operators name it
  ledger_id uuid NOT NULL UNIQUE,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  sender text,
  -- what its sender wrote instead of a payment's memo
  memo text,
  -- when it arrived on its chain, and when it was booked
  at timestamptz NOT NULL,
  booked_at timestamptz NOT NULL,
  -- 'open': nobody's; 'assigned': a payment's; 'returning', 'returned': an order sends it back, or has;
  -- 'own': the operator's, and in the treasury
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'assigned', 'returning', 'returned', 'own')),
  payment_id uuid REFERENCES payments,
  -- the order that sends it back
  send_id uuid,
  -- when, by which operator and why it was decided; nobody: its sender proved whose it is
  decided_at timestamptz,
  decided_by uuid,
  reason text,
  PRIMARY KEY (rail, key),
  CHECK ((state = 'assigned') = (payment_id IS NOT NULL)),
  CHECK ((state IN ('returning', 'returned')) = (send_id IS NOT NULL)),
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX stray_transfers_open ON stray_transfers (ledger_id) WHERE state = 'open';
CREATE INDEX stray_transfers_sender ON stray_transfers (sender) WHERE sender IS NOT NULL;
CREATE INDEX stray_transfers_transaction ON stray_transfers (transaction);
CREATE INDEX stray_transfers_payment ON stray_transfers (payment_id) WHERE payment_id IS NOT NULL;
