-- Assets for which an integration asked for an address that tops up its balance; the rails keep those of live mode.
CREATE TABLE top_up_addresses (
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  asset text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (integration_id, mode, asset)
);

-- What came there.
CREATE TABLE top_ups (
  -- the ledger transfer that first booked it
  ledger_id uuid PRIMARY KEY,
  integration_id uuid NOT NULL,
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
CREATE INDEX top_ups_integration ON top_ups (integration_id, ledger_id DESC);
