-- Assets for which a user asked for an address of their own; the rails keep those of live mode.
CREATE TABLE wallet_addresses (
  user_id uuid NOT NULL REFERENCES users,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  asset text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, mode, asset)
);

-- What came there.
CREATE TABLE wallet_deposits (
  -- the ledger transfer that first booked it
  ledger_id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  rail text NOT NULL,
  -- the transfer on its chain, as rails name it
  key text NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  sender text,
  -- 'gone': its block left the chain, and the booking was reversed
  state text NOT NULL CHECK (state IN ('final', 'gone')),
  -- how often it was booked
  bookings integer NOT NULL DEFAULT 1,
  at timestamptz NOT NULL,
  booked_at timestamptz NOT NULL,
  gone_at timestamptz
);
CREATE INDEX wallet_deposits_user ON wallet_deposits (user_id, ledger_id DESC);
