-- Payments that another system was asked to make out of a wallet there. The id is also the other system's, and the key of the
-- payment's transfer. Passwords are never kept, and a name only once the other system took the password.
CREATE TABLE remote_payments (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  username text,
  -- what the other system was asked for: at the finest scale, in one of these assets
  missing numeric(78,0) NOT NULL,
  assets text[] NOT NULL,
  -- what it has set aside, from the decision to capture it
  asset text,
  units numeric(78,0),
  -- asked -> waiting (for the user's approval) -> capturing -> captured, or lost where it was not there any more;
  -- asked, waiting -> refused, or voiding -> voided
  state text NOT NULL CHECK (state IN
    ('asked', 'waiting', 'capturing', 'voiding', 'captured', 'refused', 'voided', 'lost')),
  waited boolean NOT NULL DEFAULT false,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((state IN ('capturing', 'captured', 'lost')) <= (asset IS NOT NULL AND units IS NOT NULL))
);
CREATE INDEX remote_payments_due ON remote_payments (next_try_at)
  WHERE state IN ('asked', 'waiting', 'capturing', 'voiding');
CREATE INDEX remote_payments_of ON remote_payments (payment_id, id);
-- One wallet at a time is asked for a payment.
CREATE UNIQUE INDEX remote_payments_open ON remote_payments (payment_id)
  WHERE state IN ('asked', 'waiting', 'capturing');
